/**
 * The map of a long text as far as it is known, on the page: it requests one piece after the other,
 * what is in view first, and calls `changed` when one has arrived. Coarse levels stay; of the finer
 * tiles, those that were in view last.
 */
import type { Region, Square, WeightMapData } from '../../maps/weight_map_data.ts';
import {
  blockRows,
  coarsest,
  firstKept,
  tileWidth,
  type Measure,
  type Piece,
  type Sees,
} from '../../maps/weight_map_pieces.ts';
import type { EngineFunctions, Engine } from '../../worker/client.ts';
import type * as jobs from './long_text_jobs.ts';
import type { LongTextBlock, LongTextCell, LongTextRequest } from './long_text_jobs.ts';

/** What is known once all blocks are there. */
export interface Totals {
  /** Half of all attention goes no farther than this. */
  medianDistance: number;
  /** Mean over the queries of exp(entropy). */
  attended: number;
  /** Weight of a token's copy over its own, on average; undefined where no text is repeated. */
  copyShare: number | undefined;
}

const mostTiles = 96;

export class LongTextMap implements WeightMapData {
  readonly request: LongTextRequest;
  readonly tokens: readonly string[];
  readonly sees: Sees;
  readonly length: number;
  readonly copyAt: number | undefined;
  /** Resolves when every block is there; never, if the map is given up before. */
  readonly whole: Promise<Totals>;
  totals: Totals | undefined;
  fault: Error | undefined;
  changed = () => {};
  #pieces: EngineFunctions<typeof jobs>;
  #cells: EngineFunctions<typeof jobs>;
  #blocks: LongTextBlock[] = [];
  #tiles = new Map<string, Piece>();
  /** Shows the whole map until all blocks are there. */
  #sketch: Piece | undefined;
  #region: Region | undefined;
  #closeUps: readonly Region[] = [];
  #isWorking = false;
  #isStopped = false;
  #finish!: (totals: Totals) => void;

  constructor(
    engine: Engine<typeof jobs>,
    request: LongTextRequest,
    tokens: readonly string[],
    sees: Sees,
    /** Tokens of the text itself, before it begins anew. */
    count = request.length,
  ) {
    this.request = request;
    this.tokens = tokens;
    this.sees = sees;
    this.length = request.length;
    this.copyAt = count < request.length ? count : undefined;
    // One line each: a request for a piece never supersedes one for a cell.
    this.#pieces = engine.channel();
    this.#cells = engine.channel();
    this.whole = new Promise((resolve) => (this.#finish = resolve));
  }

  get blockCount(): number {
    return Math.ceil(this.length / blockRows);
  }

  /** Blocks that are there. */
  get progress(): number {
    return this.#blocks.filter(Boolean).length;
  }

  /** Asks for nothing more. */
  stop() {
    this.#isStopped = true;
    this.changed = () => {};
  }

  /** Says what is in view; what is missing of it comes next, that of close-ups last. */
  look(region: Region, closeUps: readonly Region[] = []) {
    this.#region = region;
    this.#closeUps = closeUps;
    void this.#work();
  }

  /** One request at a time, and the next one chosen only then: no result is out of date. */
  async #work() {
    if (this.#isWorking || this.fault) return;
    this.#isWorking = true;
    try {
      for (let ask = this.#next(); ask && !this.#isStopped; ask = this.#next()) {
        await ask();
        if (!this.#isStopped) this.changed();
      }
    } catch (error) {
      this.fault = error as Error;
      if (!this.#isStopped) this.changed();
    }
    this.#isWorking = false;
  }

  #next(): (() => Promise<void>) | undefined {
    const tile = this.#region && this.#missing(this.#region);
    if (tile) return () => this.#takeTile(tile);
    if (!this.#sketch) return () => this.#takeSketch();
    const seen = Math.floor((this.#region?.rows[0] ?? 0) / blockRows);
    for (let i = 0; i < this.blockCount; i++) {
      const block = (seen + i) % this.blockCount;
      if (!this.#blocks[block]) return () => this.#takeBlock(block);
    }
    const detail = this.#closeUps.map((closeUp) => this.#missing(closeUp)).find(Boolean);
    return detail && (() => this.#takeTile(detail));
  }

  async #takeSketch() {
    this.#sketch = await this.#pieces.longTextSketch(this.request);
  }

  async #takeBlock(block: number) {
    this.#blocks[block] = await this.#pieces.longTextBlock(this.request, block);
    if (this.progress < this.blockCount) return;
    this.totals = this.#total();
    this.#finish(this.totals);
  }

  async #takeTile(tile: TilePlace) {
    const piece = await this.#pieces.longTextTile(this.request, tile);
    this.#tiles.set(nameOf(tile), piece);
    for (const name of this.#tiles.keys()) {
      if (this.#tiles.size <= mostTiles) break;
      this.#tiles.delete(name);
    }
  }

  #missing(region: Region): TilePlace | undefined {
    return this.#places(region).find((place) => !this.#tiles.has(nameOf(place)));
  }

  /** The tiles of a fine level that touch a region, block by block; of a coarse one, none. */
  #places({ level, rows, columns }: Region): TilePlace[] {
    if (level >= firstKept) return [];
    const places: TilePlace[] = [];
    for (let block = Math.floor(rows[0] / blockRows); block * blockRows <= rows[1]; block++) {
      const wide = tileWidth << level;
      for (let across = Math.floor(columns[0] / wide); across * wide <= columns[1]; across++)
        places.push({ level, block, across });
    }
    return places;
  }

  /** What there is to draw a region with, coarse below fine. */
  pieces(region: Region): Piece[] {
    const places = this.#places(region);
    const tiles = places.map((place) => this.#tiles.get(nameOf(place)));
    places.forEach((place, i) => this.#touch(nameOf(place), tiles[i]));
    const found = tiles.filter((tile) => tile !== undefined);
    const isCovered = places.length > 0 && found.length === places.length;
    if (isCovered) return found;
    const sketch = this.#sketch && !this.totals ? [this.#sketch] : [];
    return [...sketch, ...this.#strips(region), ...found];
  }

  /** What was used last is forgotten last. */
  #touch(name: string, tile: Piece | undefined) {
    if (!tile) return;
    this.#tiles.delete(name);
    this.#tiles.set(name, tile);
  }

  #strips({ level, rows }: Region): Piece[] {
    const at = Math.max(level, firstKept) - firstKept;
    return this.#blocks
      .slice(Math.floor(rows[0] / blockRows), Math.floor(rows[1] / blockRows) + 1)
      .flatMap((block) => block?.pieces[at] ?? []);
  }

  /** Nothing is missing, in view or of the whole. */
  get isComplete(): boolean {
    const seen = this.#region ? [this.#region, ...this.#closeUps] : [];
    return this.totals !== undefined && !seen.some((region) => this.#missing(region));
  }

  /** The value of a square of cells that is one texel; undefined as long as it is not there. */
  value({ row, column, side }: Square, measure: Measure): number | undefined {
    const level = Math.log2(side);
    const block = Math.floor(row / blockRows);
    const across = Math.floor(column / (tileWidth << level));
    const piece =
      level < firstKept
        ? this.#tiles.get(nameOf({ level, block, across }))
        : this.#blocks[block]?.pieces[level - firstKept];
    if (!piece) return level === 1 ? this.#fromCells({ row, column, side }, measure) : undefined;
    const x = (column - piece.column) >> level;
    return piece[measure][((row - piece.row) >> level) * piece.width + x];
  }

  /** The finest but one has no tiles of its own while the finest is in view. */
  #fromCells({ row, column }: Square, measure: Measure): number | undefined {
    const cells = [0, 1, 2, 3].map((i) =>
      this.value({ row: row + (i >> 1), column: column + (i & 1), side: 1 }, measure),
    );
    if (cells.includes(undefined)) return undefined;
    const seen = cells.filter((value) => !Number.isNaN(value)) as number[];
    if (seen.length === 0) return NaN;
    return measure === 'max' ? Math.max(...seen) : seen.reduce((sum, value) => sum + value) / 4;
  }

  /** One cell in full. Rejects with Superseded if another is requested meanwhile. */
  cell(row: number, column: number): Promise<LongTextCell> {
    return this.#cells.longTextCell(this.request, row, column);
  }

  /** All pieces of the coarsest but two: small enough to draw the whole map in a corner. */
  overview(): Piece[] {
    return this.#blocks.flatMap((block) => block?.pieces[coarsest - 2 - firstKept] ?? []);
  }

  /** All pieces that a look at the whole or at some of it is drawn with. */
  kept(): Piece[] {
    return this.#blocks.flatMap((block) => block?.pieces.slice(0, coarsest - 1 - firstKept) ?? []);
  }

  #total(): Totals {
    const byDistance = new Float64Array(this.length);
    for (const block of this.#blocks)
      block.byDistance.forEach((mass, distance) => (byDistance[distance]! += mass));
    const half = byDistance.reduce((sum, mass) => sum + mass) / 2;
    let [medianDistance, sum] = [0, byDistance[0]!];
    while (sum < half) sum += byDistance[++medianDistance]!;
    const sumOf = (name: 'attended' | 'own' | 'copy') =>
      this.#blocks.reduce((all, block) => all + block[name], 0);
    return {
      medianDistance,
      attended: sumOf('attended') / this.length,
      copyShare: this.copyAt === undefined ? undefined : sumOf('copy') / sumOf('own'),
    };
  }
}

interface TilePlace {
  level: number;
  block: number;
  /** Which tile of the block, from the left. */
  across: number;
}

const nameOf = ({ level, block, across }: TilePlace) => `${level} ${block} ${across}`;
