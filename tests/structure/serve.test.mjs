/** The server of `npm start` and of the browser tests does what a good host of static files does. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { policy, serve } from '../../tools/serve.mjs';
import { tableRows } from '../support/guides.mjs';

const text = '<!doctype html><title>Words</title>'.repeat(200);
const files = {
  'index.html': ['text/html; charset=utf-8', text],
  'zh/index.html': ['text/html; charset=utf-8', text],
  'theme.js': ['text/javascript; charset=utf-8', text],
  'assets/style-AbC_-12z.css': ['text/css; charset=utf-8', text],
  'assets/chunk--1cx54WJ.js': ['text/javascript; charset=utf-8', text],
  'assets/ropewalk_relaxed-BZcs4nSl.wasm': ['application/wasm', text],
  'assets/attention-ar63m0z6.npy': ['application/octet-stream', text],
  'assets/font-C1lff71T.woff2': ['font/woff2', text, 'compressed already'],
  'assets/font_license.txt': ['text/plain; charset=utf-8', text],
  'icon.svg': ['image/svg+xml', text],
  'preview.png': ['image/png', text, 'compressed already'],
  'stills/one.webp': ['image/webp', text, 'compressed already'],
  'reference.json': ['application/json; charset=utf-8', text],
};
const isHashed = (name) => /-[\w-]{8}\.\w+$/.test(name);

/**
 * The response as it comes over the wire.
 * @param {string} url
 * @param {Record<string, string>} [options] the method, GET by default, and headers
 */
function answer(url, { method = 'GET', ...headers } = {}) {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, async (response) => {
      const parts = await response.toArray();
      resolve({
        status: response.statusCode,
        headers: response.headers,
        body: Buffer.concat(parts),
      });
    });
    asked.on('error', reject).end();
  });
}

describe('the server of static files', () => {
  let folder;
  let site;
  const at = (name) => site.url + name.replace(/index\.html$/, '');
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ropewalk-serve-'));
    for (const [name, [, content]] of Object.entries(files)) {
      await mkdir(join(folder, name, '..'), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    site = await serve(folder, { base: '/some/where/' });
  });
  after(async () => {
    await site?.close();
    await rm(folder, { recursive: true });
  });

  for (const [name, [type, content, isCompressed]] of Object.entries(files)) {
    test(`${name}: type, policy, cache, and the compression that is accepted`, async () => {
      const decoded = { br: brotliDecompressSync, gzip: gunzipSync };
      for (const [accepted, encoding] of [
        [undefined, undefined],
        ['', undefined],
        ['identity', undefined],
        ['gzip, deflate, br, zstd', 'br'],
        ['gzip, deflate', 'gzip'],
        ['GZIP;q=0.5', 'gzip'],
        ['br; q=0, gzip', 'gzip'],
        ['br;q=0.0', undefined],
        ['brother', undefined],
      ]) {
        const wanted = isCompressed ? undefined : encoding;
        const { status, headers, body } = await answer(
          at(name),
          accepted === undefined ? {} : { 'Accept-Encoding': accepted },
        );
        assert.equal(status, 200);
        assert.equal(headers['content-encoding'], wanted, accepted);
        assert.equal(String(wanted ? decoded[wanted](body) : body), content);
        assert.equal(headers['content-length'], String(body.length));
        assert.ok(!wanted || body.length < content.length / 10);
        assert.equal(headers.vary, isCompressed ? undefined : 'Accept-Encoding');
        assert.deepEqual(
          [
            headers['content-type'],
            headers['content-security-policy'],
            headers['x-content-type-options'],
            headers['access-control-allow-origin'],
          ],
          [type, policy, 'nosniff', '*'],
        );
        assert.equal(
          headers['cache-control'],
          isHashed(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      }
      const plain = await answer(at(name));
      const head = await answer(at(name), { method: 'HEAD' });
      const { date: _, ...expected } = plain.headers;
      assert.deepEqual({ ...head.headers, date: undefined }, { ...expected, date: undefined });
      assert.equal(head.body.length, 0);
    });

    test(`${name}: known by its tag or its date, until it changes`, async () => {
      // Less than half a millisecond before a full second.
      await utimes(join(folder, name), 1e9 - 1e-4, 1e9 - 1e-4);
      const { headers } = await answer(at(name));
      const [tag, date] = [headers.etag, headers['last-modified']];
      assert.match(tag, /^W\/"[^"]+"$/);
      const statusFor = async (more) => {
        const { status, headers: now, body } = await answer(at(name), more);
        if (status === 304)
          assert.deepEqual(
            [now.etag, now['access-control-allow-origin'], body.length],
            [tag, '*', 0],
          );
        return status;
      };
      assert.equal(await statusFor({ 'If-None-Match': tag }), 304);
      assert.equal(await statusFor({ 'If-None-Match': `"other", ${tag}` }), 304);
      assert.equal(await statusFor({ 'If-None-Match': '*' }), 304);
      assert.equal(await statusFor({ 'If-None-Match': tag, 'Accept-Encoding': 'br' }), 304);
      assert.equal(await statusFor({ 'If-None-Match': '"other"' }), 200);
      assert.equal(await statusFor({ 'If-None-Match': '"other"', 'If-Modified-Since': date }), 200);
      assert.equal(await statusFor({ 'If-Modified-Since': date }), 304);
      assert.equal(
        await statusFor({ 'If-Modified-Since': new Date(Date.parse(date) - 1000).toUTCString() }),
        200,
      );
      assert.equal(await statusFor({ 'If-Modified-Since': 'yesterday' }), 200);
      const accepted = { 'Accept-Encoding': 'br' };
      await answer(at(name), accepted);
      await writeFile(join(folder, name), content.toUpperCase());
      await utimes(join(folder, name), 1, 1);
      const {
        status,
        headers: now,
        body,
      } = await answer(at(name), { 'If-None-Match': tag, ...accepted });
      await writeFile(join(folder, name), content);
      assert.equal(status, 200);
      assert.notEqual(now.etag, tag);
      assert.equal(
        String(now['content-encoding'] ? brotliDecompressSync(body) : body),
        content.toUpperCase(),
      );
    });
  }

  test('a missing file is 404, with the policy, and not cached', async () => {
    for (const name of ['none', 'assets/gone-AbCdEfGh.js', '%2e%2e/package.json', '%00', '%']) {
      const { status, headers } = await answer(at(name));
      assert.deepEqual(
        [status, headers['cache-control'], headers['content-security-policy']],
        [404, 'no-cache', policy],
        name,
      );
    }
    await writeFile(join(folder, '404.html'), text);
    const { status, body } = await answer(at('none'), { 'If-None-Match': '*' });
    await rm(join(folder, '404.html'));
    assert.deepEqual([status, String(body)], [404, text]);
    assert.equal((await answer(at('index.html'), { method: 'POST' })).status, 405);
  });

  test('a folder without its slash is elsewhere, so that relative addresses lead on', async () => {
    const { status, headers } = await answer(`${site.url}zh?a=b`);
    assert.deepEqual([status, headers.location], [301, '/some/where/zh/?a=b']);
  });

  for (const language of ['en', 'zh']) {
    test(`${language}: it sends what the guide asks of a host of figures`, async () => {
      // The first table is that of the headers.
      const rows = tableRows('blog', language)
        .slice(0, 3)
        .map((cells) => cells.map((cell) => /`([^`]+)`/.exec(cell)[1].toLowerCase()));
      const [script, binary] = await Promise.all(
        ['theme.js', 'assets/ropewalk_relaxed-BZcs4nSl.wasm'].map((name) => answer(at(name))),
      );
      const { 'content-type': type, ...headers } = script.headers;
      assert.deepEqual(rows, [
        ['access-control-allow-origin', headers['access-control-allow-origin']],
        ['content-type', type.split(';')[0]],
        ['content-type', binary.headers['content-type']],
      ]);
    });
  }

  test('other headers take the place of the policy', async () => {
    const plain = await serve(folder, { headers: { 'X-Own': 'yes' } });
    const { headers } = await answer(plain.url);
    await plain.close();
    assert.deepEqual([headers['content-security-policy'], headers['x-own']], [undefined, 'yes']);
  });
});
