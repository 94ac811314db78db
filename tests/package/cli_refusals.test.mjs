/** What `npx ropewalk` refuses: one line and an exit code each. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { command, k, place, q, run, tensors, v, writeNpy, writeSafetensors } from './command.mjs';

const size = '--positions 4 --dim 8';
writeFileSync(place('broken.npy'), 'no array');
writeFileSync(
  place('bert.json'),
  '{ "model_type": "bert", "max_position_embeddings": 512, "hidden_size": 64 }',
);
writeFileSync(
  place('logn.json'),
  JSON.stringify({
    model_type: 'qwen',
    hidden_size: 32,
    num_attention_heads: 4,
    seq_length: 2048,
    use_logn_attn: true,
    rotary_emb_base: 10000,
  }),
);
writeFileSync(
  place('latent.json'),
  '{ "model_type": "minicpm3", "qk_rope_head_dim": 2, "qk_nope_head_dim": 4 }',
);
writeFileSync(place('cut.npy'), readFileSync(place(k)).subarray(0, 200));
mkdirSync(place('folder.npy'));
writeFileSync(
  place('bool.npy'),
  writeNpy({ data: new Uint8Array(36), shape: [6, 6], format: 'bool' }),
);
writeFileSync(place('alone.safetensors'), writeSafetensors({ q: tensors[0] }));
const qkv = `${q} ${k} ${v}`;
/** The lines on standard error by exit code and command line. */
const refusals = {
  2: {
    '': 'the command must be one of table, frequencies, attention, diagnose, dump, compare, train, sweep, generate, loss, figure, got nothing',
    toString:
      'the command must be one of table, frequencies, attention, diagnose, dump, compare, train, sweep, generate, loss, figure, got toString',
    [`table ${size}`]: 'table must be followed by sinusoidal|rotary, got nothing',
    [`table cubic ${size}`]: 'table must be sinusoidal or rotary, got cubic',
    'table rotary --positions 4': '--dim must be given, got nothing',
    'table rotary --positions 4 --dim': '--dim must be followed by a value, got nothing',
    'table rotary --positions 1.5 --dim 8':
      '--positions must be a whole number of at least 1, got 1.5',
    [`table rotary ${size} --base ten`]: '--base must be a finite number, got ten',
    'table rotary --positions 4 --dim 7': '--dim must be even, got 7',
    [`table rotary ${size} --dim 8`]: '--dim must be given once, got it twice',
    'table rotary --width 3': 'unknown option --width; run `ropewalk table --help`',
    [`table sinusoidal ${size} --layout concatenated`]:
      '--layout must be one of interleaved, half-split, got concatenated',
    [`table rotary ${size} --format xml`]:
      '--format must be one of text, json, csv, npy, safetensors, svg, got xml',
    [`table rotary ${size} --out t.xml`]:
      '--out must end in one of text, json, csv, npy, safetensors, svg, or --format be given, got t.xml',
    [`table rotary ${size} --return cos`]: '--return must be of table, got cos',
    [`attention ${qkv} --softcap -1`]: '--softcap must be greater than 0, got -1',
    'attention folder.npy bool.npy':
      'attention must have 3 files, or one .safetensors of q, k and v, got folder.npy bool.npy',
    'attention bool.npy':
      'attention must have 3 files, or one .safetensors of q, k and v, got bool.npy',
    'attention alone.safetensors': 'alone.safetensors must hold a tensor k, got q',
    [`attention ${qkv} --bias bool.npy`]:
      '--bias must hold numbers, got bool: what hides keys is --mask',
    'attention config.json k.npy v.npy':
      'a file of arrays must end in .npy or .safetensors, got config.json',
    [`attention ${qkv} --position alibi --config config.json`]:
      '--position must be rope with this --config, got alibi',
    [`attention ${qkv} --base 100`]: '--base must come with --position rope or sandwich, got none',
    [`attention ${qkv} --base 100 --config config.json`]:
      '--base must come without --config, got both',
    [`attention ${qkv} --key-positions 1 --position alibi`]:
      '--key-positions must come with --position rope, got alibi',
    [`attention ${qkv} --window 0`]: '--window must be a whole number of at least 1, got 0',
    [`attention ${qkv} --causal --window 2`]:
      '--causal must be one of top-left, bottom-right, after-past, got --window',
    [`attention ${qkv} --mask q.npy`]:
      '--mask must hold bool, got f32: numbers to be added are --bias',
    [`attention ${qkv} --mask b1_C.npy`]: '--mask.shape must broadcast to [1, 2, 6, 6], got [2, 3]',
    [`attention ${qkv} --mask-when-true ignore`]:
      '--mask-when-true must come with --mask, got it alone',
    [`attention ${qkv} --position t5 --table q.npy`]:
      '--table.shape must be [buckets, heads], got [2, 6, 8]',
    [`attention ${qkv} --position alibi --direction bidirectional`]:
      "--direction must be one of 'causal', 'symmetric', got \"bidirectional\"",
    [`attention ${qkv} --sinks 1,2,3`]: '--sinks must have 2 values, got 3',
    [`attention ${qkv} --sinks 1,b`]:
      '--sinks must be numbers with commas, or a file of them, got 1,b',
    [`attention ${qkv} --config logn.json`]:
      '--row-scale must be given, since this --config has one factor per query (log-n)',
    [`table rotary ${size} --layout interleaved`]:
      '--layout must come with the other table, got rotary',
    [`table rotary ${size} --config config.json`]: '--dim must come without --config, got both',
    [`attention ${qkv} --return heat`]:
      '--return must be of output, scores, capped, biased, weights, entropy, logSumExp, got heat',
    'compare a.npy': 'compare must be followed by OURS THEIRS, got a.npy',
    [`attention ${qkv} --return output,weights --format svg`]:
      '--return must name one array, or lists of one length, for svg, got output,weights',
    'compare q.npy q.npy --format svg': '--return must name one array for svg, got nothing',
    'compare q.npy k.npy --format csv': '--return must name one array for csv, got nothing',
    [`attention ${qkv} --return output,weights --format npy`]:
      '--return must name one array for npy, got output,weights',
  },
  1: {
    [`table rotary ${size} --out none/t.npy`]:
      '--out must be a file that can be written, got none/t.npy (no such place)',
    'frequencies none.json': 'none.json must be a file that can be read, got no such place',
    'frequencies bert.json': "bert.json: config must describe a rotary model, got scheme 'learned'",
    'attention broken.npy k.npy v.npy': 'broken.npy: npy file must have at least 10 bytes, got 8',
    [`attention ${qkv} --config latent.json`]:
      'latent.json: config must rotate the first values of a head, got the last 2: rotate them by themselves',
    'frequencies .': '. must be a file that can be read, got a folder',
    'attention folder.npy k.npy v.npy': 'folder.npy must be a file that can be read, got a folder',
    'attention q.npy cut.npy v.npy':
      'cut.npy: npy data must have 384 bytes for f32 of shape [2, 6, 8], got 72',
    'attention q.npy k.npy rotary.npy': 'length of k and v must be equal, got 6 and 50',
    'compare q.npy rotary.npy': 'both arrays must have one shape, got [2, 6, 8] and [2, 50, 4]',
  },
};

test(
  'whoever stops reading early is no failure',
  { skip: process.platform === 'win32' && 'there is no head' },
  () => {
    const line = `"${command}" table rotary --positions 20000 --dim 64 --format csv | head -n 1`;
    const { stdout, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
    assert.deepEqual([stdout.split(',').slice(0, 3).join(), stderr], ['axis0,axis1,0', '']);
  },
);

test(
  'a place that takes nothing more is a failure',
  { skip: !existsSync('/dev/full') && 'there is no full place' },
  () => {
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', `"${command}" table sinusoidal --positions 4 --dim 8 > /dev/full`],
      { encoding: 'utf8' },
    );
    assert.deepEqual(
      [stderr, status],
      ['ropewalk: standard output must take what is written, got no space left\n', 1],
    );
  },
);

test('a refused process exits with the same code and line', () => {
  const { status, stdout, stderr } = spawnSync(command, ['compare', 'a.npy'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const line = `ropewalk: ${refusals[2]['compare a.npy']}\n`;
  assert.deepEqual([stderr, status, stdout], [line, 2, '']);
});

for (const [code, lines] of Object.entries(refusals))
  for (const [args, line] of Object.entries(lines))
    test(`refused with ${code}: ${args}`, async () => {
      const { status, stdout, stderr } = await run(args);
      assert.deepEqual([stderr, status, stdout], [`ropewalk: ${line}\n`, Number(code), '']);
    });
