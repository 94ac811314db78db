/**
 * `<rw-weight-map>`: a map of weights that is dragged and zoomed. It redraws itself, frame by
 * frame, and reports it only when it has come to rest: event `settle` with a Place. The event
 * `point` has the Square that a pointer, a tap or the arrow keys reach.
 */
import { html, nothing } from 'lit';
import { CanvasMap, cleared } from './canvas_map.ts';
import { coarsest, type Measure } from './weight_map_pieces.ts';
import type { Region, Square, WeightMapData } from './weight_map_data.ts';
import type { Palette } from './weight_map_colors.ts';
import {
  closeUpsOf,
  drawDiagonals,
  drawEdges,
  drawMark,
  drawOverview,
  drawPieces,
  overviewBox,
  paintAhead,
  regionOf,
  type Frame,
  type FrameInks,
} from './weight_map_drawing.ts';
import { Gestures, type Movable } from './weight_map_gestures.ts';
import { levelFor, revealing, within, type Sight } from './weight_map_sight.ts';

/** What is in view as settings: the middle's cell, and how much larger than the whole. */
export interface Place {
  zoom: number;
  row: number;
  column: number;
}

export interface MapWords {
  zoomIn: string;
  zoomOut: string;
  whole: string;
  where(rows: [number, number], columns: [number, number]): string;
  loading: string;
  /** Names of the two diagonals. */
  own: string;
  copy: string;
  /** Where the diagonal is too short for that. */
  copyShort: string;
  fault(error: Error): string;
}

/** How long a look stays still before it is a place, and how long a glide takes: milliseconds. */
const rest = 150;
const glide = 180;
/** How long the worker stays silent before there is a bar. */
const patience = 200;
const margin = 64;
const parts = ['map', 'place', 'marked', 'palette', 'measure', 'words', 'still', 'isLate'];

export class WeightMapElement extends CanvasMap<Square> implements Movable {
  static override properties = Object.fromEntries(
    parts.map((name) => [name, { attribute: false }]),
  );
  declare map: WeightMapData | undefined;
  declare place: Place | undefined;
  declare palette: Palette | undefined;
  declare measure: Measure;
  declare words: MapWords | undefined;
  declare still: boolean;
  declare private isLate: boolean;
  sight: Sight = { x: 0, y: 0, span: 1 };
  #lastPlace = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #gliding = 0;
  /** While it moves, cells are drawn as coarsely as can be seen. */
  #isMoving = false;
  #isStale = true;
  #inks: FrameInks | undefined;
  #gestures: Gestures | undefined;
  /** Last observed width of the element: reading it in every frame would force a layout. */
  #width = 0;

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.map?.stop();
  }

  protected resize(width: number) {
    this.#width = width;
    this.redraw();
  }

  get length(): number {
    return this.map?.length ?? 1;
  }

  protected override render() {
    const { words, map } = this;
    if (!words || !map) return nothing;
    const button = (label: string, sign: string, act: () => void) =>
      html`<button type="button" title=${label} aria-label=${label} @click=${act}>${sign}</button>`;
    const bar = html`<progress aria-label=${words.loading} max=${map.blockCount} .value=${map.progress}></progress>`;
    return html`<div class="map-stack"><canvas class="cells"></canvas><canvas class="edges"></canvas></div>
      <div class="map-tools">
        ${button(words.zoomOut, '−', () => this.#gestures!.zoom(1 / 2))}
        ${button(words.zoomIn, '+', () => this.#gestures!.zoom(2))}
        <button type="button" class="whole" @click=${() => this.glide({ ...this.sight, span: this.length })}>${words.whole}</button>
        <span class="map-where"></span>
      </div>
      <div class="map-progress">${this.isLate && !map.isComplete && !map.fault ? bar : nothing}</div>
      <p class="map-fault" role="status">${map.fault ? words.fault(map.fault) : nothing}</p>
      ${this.inkSamples}`;
  }

  protected override firstUpdated() {
    this.#gestures = new Gestures(this, this.#canvas('edges'));
  }

  protected override updated(changed: Map<string, unknown>) {
    if (changed.has('map')) this.#takeMap(changed.get('map') as WeightMapData | undefined);
    const { zoom, row, column } = this.place ?? { zoom: 1, row: 0, column: 0 };
    const named = `${zoom} ${row} ${column}`;
    const isNew = changed.has('place') && named !== this.#lastPlace;
    if (isNew || this.sight.span > this.length || !this.#lastPlace) {
      this.#lastPlace = named;
      this.sight = within({ x: column + 0.5, y: row + 0.5, span: this.length / zoom }, this.length);
    } else if (changed.has('map')) this.sight = within(this.sight, this.length);
    if (changed.has('palette')) this.#inks = undefined;
    const isSame =
      !isNew && [...changed.keys()].every((key) => key === 'marked' || key === 'place');
    this.redraw(!isSame);
  }

  #takeMap(before: WeightMapData | undefined) {
    before?.stop();
    this.isLate = false;
    setTimeout(() => (this.isLate = true), patience);
    const map = this.map;
    if (!map) return;
    map.changed = () => {
      if (this.isLate || map.fault) this.requestUpdate();
      this.redraw();
    };
  }

  #canvas(name: 'cells' | 'edges'): HTMLCanvasElement {
    return this.querySelector(`canvas.${name}`)!;
  }

  /** Once per frame at most; the cells only if they are others. */
  override redraw(isStale = true) {
    this.#isStale ||= isStale;
    super.redraw();
  }

  #layout(name: 'cells' | 'edges' = 'edges'): Frame {
    const context = this.#canvas(name).getContext('2d')!;
    const side = Math.max(64, Math.min(this.#width - margin - 8, 720));
    const inks = (this.#inks ??= this.#readInks());
    const [left, top, isMoving] = [margin, margin, this.#isMoving];
    const most = name === 'edges' ? Infinity : isMoving ? 1 : 2;
    const density = Math.min(most, devicePixelRatio);
    return { context, left, top, side, sight: this.sight, map: this.map!, inks, density, isMoving };
  }

  #readInks(): FrameInks {
    const { backgroundColor: paper, fontFamily: font } = getComputedStyle(this);
    return { ...this.inks, paper, font };
  }

  get region(): Region {
    const frame = this.#layout('cells');
    const pixelsPerCell = (frame.side / this.sight.span) * frame.density;
    return regionOf(frame, levelFor(pixelsPerCell, coarsest));
  }

  /** Both diagonals enlarged, where there is room. */
  get closeUps() {
    return closeUpsOf(this.#layout('cells'));
  }

  protected draw() {
    if (!this.map || !this.palette || this.#width === 0) return;
    const edges = this.#layout('edges');
    const size = margin + edges.side + 8;
    cleared(this.#canvas('edges'), size, size, edges.density);
    if (this.marked) drawMark(edges, this.marked);
    drawEdges(edges, this.marked);
    if (this.map.pieces(this.region).length > 0) drawDiagonals(edges, this.words!);
    drawOverview(edges, this.palette, this.measure);
    if (this.#isStale) this.#drawCells();
    else if (!this.#isMoving && paintAhead(this.map, this.palette, this.measure))
      this.redraw(false);
  }

  #drawCells() {
    this.#isStale = false;
    const { map, region } = this;
    const frame = this.#layout('cells');
    const size = margin + frame.side + 8;
    cleared(this.#canvas('cells'), size, size, frame.density);
    const { closeUps } = this;
    map!.look(
      region,
      closeUps.map((closeUp) => closeUp.region),
    );
    const isWaiting = [{ frame, region }, ...(map!.isComplete ? closeUps : [])]
      .map((part) => drawPieces(part.frame, part.region, this.palette!, this.measure))
      .includes(true);
    this.querySelector('.map-where')!.textContent = this.words!.where(region.rows, region.columns);
    this.#canvas('edges').style.touchAction = this.sight.span < this.length ? 'none' : 'pan-y';
    this.toggleAttribute('complete', map!.isComplete && !isWaiting && !this.#isMoving);
    this.dataset['level'] = String(region.level);
    this.redraw(isWaiting);
  }

  go(sight: Sight) {
    cancelAnimationFrame(this.#gliding);
    this.#gliding = 0;
    this.#show(sight);
  }

  #show(sight: Sight) {
    this.sight = within(sight, this.length);
    this.#isMoving = true;
    this.removeAttribute('complete');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#settle(), rest);
    this.redraw();
  }

  glide(target: Sight) {
    cancelAnimationFrame(this.#gliding);
    const to = within(target, this.length);
    if (this.still) return this.go(to);
    const from = this.sight;
    const start = performance.now();
    this.removeAttribute('complete');
    const move = () => {
      const share = Math.min(1, (performance.now() - start) / glide);
      const eased = 1 - (1 - share) ** 3;
      const span = from.span * (to.span / from.span) ** eased;
      // The middle moves in step with the span: one point of the map rests on its way.
      const along = to.span === from.span ? eased : (span - from.span) / (to.span - from.span);
      const mix = (a: number, b: number) => a + along * (b - a);
      this.#show({ x: mix(from.x, to.x), y: mix(from.y, to.y), span });
      this.#gliding = share < 1 ? requestAnimationFrame(move) : 0;
    };
    this.#gliding = requestAnimationFrame(move);
  }

  #settle() {
    if (this.#gliding) return;
    this.#isMoving = false;
    this.redraw();
    const zoom = Number((this.length / this.sight.span).toPrecision(4));
    const isWhole = zoom <= 1;
    const cell = (middle: number) => (isWhole ? 0 : Math.min(this.length - 1, Math.floor(middle)));
    const place: Place = { zoom, row: cell(this.sight.y), column: cell(this.sight.x) };
    this.#lastPlace = `${place.zoom} ${place.row} ${place.column}`;
    this.dispatchEvent(new CustomEvent<Place>('settle', { detail: place }));
  }

  share(event: MouseEvent): [number, number] {
    const { left, top, side } = this.#layout();
    return [(event.offsetX - left) / side, (event.offsetY - top) / side];
  }

  overviewShare({ offsetX, offsetY }: MouseEvent): [number, number] | undefined {
    const box = overviewBox(this.#layout());
    const share = (at: number, from: number) => (at - from) / box!.side;
    if (!box || offsetX < box.left || offsetY > box.top + box.side) return undefined;
    return [share(offsetX, box.left), share(offsetY, box.top)];
  }

  /** The texel there: at the finest level a cell, else the square that one dot stands for. */
  point([x, y]: [number, number]) {
    if (!this.map || Math.min(x, y) < 0 || Math.max(x, y) >= 1) return;
    const at = (middle: number, share: number) => middle + (share - 0.5) * this.sight.span;
    this.dispatchPoint(this.#squareOf(at(this.sight.y, y), at(this.sight.x, x)));
  }

  /** The one that holds the cell, or the nearest that there is. */
  #squareOf(row: number, column: number): Square {
    const side = 2 ** this.region.level;
    const first = (cell: number) =>
      Math.max(0, Math.min(this.length - 1, Math.floor(cell))) & -side;
    return { row: first(row), column: first(column), side };
  }

  step(rows: number, columns: number) {
    const side = 2 ** this.region.level;
    const { row, column } = this.marked ?? { row: this.sight.y, column: this.sight.x };
    const square = this.#squareOf(row + rows * side, column + columns * side);
    this.go(revealing(this.sight, square, this.length));
    this.dispatchPoint(square);
  }
}

// The build reads figures in Node, where there are no elements.
globalThis.customElements?.define('rw-weight-map', WeightMapElement);
