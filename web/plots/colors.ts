/**
 * Color scales, mixed in OKLab so that equal steps of a number look like equal steps of color.
 * Both keep zero at the paper's own tone, differ in lightness alone, and avoid red with
 * green.
 */
export type Theme = 'light' | 'dark';
export type Rgb = readonly [red: number, green: number, blue: number];

/** A scale as 511 colors: entry 255 stands for 0 of a signed scale; both ends included. */
export interface ColorScale {
  domain: readonly [low: number, high: number];
  colors: readonly Rgb[];
}

/** Lightness, chroma, hue in degrees. */
type Lch = readonly [number, number, number];

const stops: Record<Theme, { negative: Lch[]; zero: Lch; positive: Lch[]; sequential: Lch[] }> = {
  light: {
    negative: [
      [0.36, 0.13, 262],
      [0.56, 0.14, 250],
      [0.78, 0.08, 240],
    ],
    zero: [0.975, 0.004, 90],
    positive: [
      [0.82, 0.09, 62],
      [0.62, 0.16, 42],
      [0.4, 0.13, 28],
    ],
    sequential: [
      [0.975, 0.02, 100],
      [0.84, 0.1, 130],
      [0.66, 0.11, 185],
      [0.47, 0.11, 235],
      [0.28, 0.11, 275],
    ],
  },
  dark: {
    negative: [
      [0.86, 0.09, 230],
      [0.66, 0.14, 245],
      [0.43, 0.1, 258],
    ],
    zero: [0.235, 0.008, 270],
    positive: [
      [0.44, 0.09, 40],
      [0.66, 0.15, 48],
      [0.87, 0.1, 78],
    ],
    sequential: [
      [0.235, 0.02, 275],
      [0.4, 0.11, 265],
      [0.57, 0.11, 225],
      [0.76, 0.12, 175],
      [0.95, 0.1, 105],
    ],
  },
};

const half = 255;

export function signedScale(theme: Theme, limit: number): ColorScale {
  const { negative, zero, positive } = stops[theme];
  return scale([-limit, limit], [...negative, zero, ...positive]);
}

export function magnitudeScale(theme: Theme, limit: number, low = 0): ColorScale {
  return scale([low, limit], stops[theme].sequential);
}

const made = new Map<string, ColorScale>();

/** The same scale is the same object, so that a drawing knows that nothing changed. */
function scale(domain: [number, number], through: Lch[]): ColorScale {
  const name = `${domain} ${through}`;
  const known = made.get(name);
  if (known) return known;
  if (made.size > 100) made.clear();
  const fresh = { domain, colors: ramp(through) };
  made.set(name, fresh);
  return fresh;
}

const none: Rgb = [128, 128, 128];

/** Values beyond the domain take its end; NaN is gray. */
export function colorOf({ domain: [low, high], colors }: ColorScale, value: number): Rgb {
  const share = high > low ? (value - low) / (high - low) : 0;
  return colors[Math.round(Math.min(1, Math.max(0, share)) * 2 * half)] ?? none;
}

export const css = ([red, green, blue]: Rgb): string => `rgb(${red}, ${green}, ${blue})`;

/** The ink that reads on a color: contrast by relative luminance. */
export function inkOn(color: Rgb): string {
  const [red, green, blue] = color.map((part) => linear(part / 255)) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.2 ? '#1e1d1b' : '#ffffff';
}

function ramp(through: readonly Lch[]): Rgb[] {
  const points = through.map(fromLch);
  return Array.from({ length: 2 * half + 1 }, (_, i) => {
    const at = (i / (2 * half)) * (points.length - 1);
    const before = Math.min(points.length - 2, Math.floor(at));
    const a = points[before]!;
    const b = points[before + 1]!;
    const mixed = a.map((part, k) => part + (at - before) * (b[k]! - part));
    return fromLab(mixed as [number, number, number]);
  });
}

function fromLch([lightness, chroma, hue]: Lch): [number, number, number] {
  const angle = (hue * Math.PI) / 180;
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
}

/** OKLab to sRGB by the matrices of Ottosson, "A perceptual color space for image processing". */
function fromLab([lightness, a, b]: readonly [number, number, number]): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    byte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function byte(part: number): number {
  const encoded = part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.min(1, Math.max(0, encoded)));
}

function linear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
