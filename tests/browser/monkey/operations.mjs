/**
 * What a monkey does to the page: one operation at a time, drawn from a seed. All of this runs in
 * the page, on the controls and drawings as a hand would find them.
 */
const texts = [
  '',
  ' ',
  '\n\n',
  '0',
  '-1',
  '1e999',

  '1 2 3',
  '1 2 3 4',
  '1,,2，3 4 5 6 7',
  '4 5 6 x',
  '<img src=x onerror=alert(1)>',
  '${1}',
  "'; --",
  '🦜🏴‍☠️👩‍👩‍👧‍👦',
  '\u202eabc',
  '\ud800',
  'a\u0301\u0302\u0303',
  '龙'.repeat(200),
  'word '.repeat(400),
  'x'.repeat(3000),
  '{"model_type":"llama"',
  '[]',
  '{}',
  'null',
  '{"model_type":"llama","hidden_size":4096,"num_attention_heads":32,"rope_theta":5e5}',
  '{"model_type":"bloom","n_embed":64,"n_head":4}',
];

/** Puts the monkey into every page that the tab opens. */
export const prepareMonkey = (tab) =>
  tab.evaluateOnNewDocument(
    [
      `globalThis.hostileTexts = ${JSON.stringify(texts)};`,
      randomFrom,
      operate,
      faultsOnScreen,
      settled,
    ].join('\n'),
  );

import { randomFrom } from '../support/settings.mjs';

/** Does what `seed` and `number` determine, on the page as it stands; says what it was. */
export function operate(seed, number) {
  const random = randomFrom(seed * 1_000_003 + number);
  const below = (count) => Math.floor(random() * count);
  const one = (list) => list[below(list.length)];
  const places = [...document.querySelectorAll('ropewalk-figure, ropewalk-model')].filter(
    (place) => place.shadowRoot,
  );
  const place = one(places);
  const name = place.getAttribute('name') ?? place.localName;
  const inside = (selector) =>
    [...place.shadowRoot.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  const send = (
    element,
    kind,
    /** @type {new (kind: string, init: object) => Event} */ Kind = Event,
    options = {},
  ) =>
    element.dispatchEvent(
      new Kind(kind, { bubbles: true, composed: true, cancelable: true, ...options }),
    );

  const slide = (slider) => {
    const { min, max } = slider;
    const share = one([0, 1, random(), random()]);
    // Several moves within one task and without waiting: each interrupts the computation before.
    for (let moves = 1 + below(4); moves > 0; moves--) {
      slider.value = String(Number(min) + (moves === 1 ? share : random()) * (max - min));
      send(slider, 'input');
    }
    return `${slider.id} to ${slider.value}`;
  };
  const type = (field) => {
    field.value = one([
      ...(field.matches('.exact')
        ? [...globalThis.hostileTexts, 'NaN', 'Infinity', 'undefined']
        : globalThis.hostileTexts),
      String(below(100)),
      String(random() * 1e6),
      '−5',
      '1,024',
    ]);
    send(field, field.matches('.exact') ? 'change' : 'input');
    return `${field.id || field.getAttribute('aria-label')} says ${JSON.stringify(field.value.slice(0, 40))}`;
  };
  const choose = (menu) => {
    menu.selectedIndex = below(menu.options.length);
    send(menu, 'change');
    return `${menu.id} to ${menu.value}`;
  };
  const press = (button) => {
    button.click();
    return `presses ${(button.textContent || button.value || button.id).trim().slice(0, 30)}`;
  };
  const point = (target) => {
    const { left, top, width, height } = target.getBoundingClientRect();
    const at = { clientX: left + random() * width, clientY: top + random() * height, pointerId: 1 };
    for (const kind of one([
      ['pointerenter', 'pointermove'],
      ['pointermove', 'pointerdown', 'pointerup'],
      ['pointerleave'],
    ]))
      send(target, kind, PointerEvent, { ...at, buttons: 0 });
    return `points at ${target.localName}.${target.getAttribute('class')}`;
  };
  const strike = (target) => {
    const key = one([
      'ArrowLeft',
      'ArrowRight',
      'ArrowUp',
      'ArrowDown',
      'Home',
      'End',
      '+',
      '-',
      'Enter',
      ' ',
      'Escape',
    ]);
    target.focus?.();
    send(target, 'keydown', KeyboardEvent, { key, shiftKey: random() < 0.2 });
    return `strikes ${key} on ${target.localName}`;
  };
  const reset = (label) => {
    send(label, 'dblclick', MouseEvent);
    return `resets ${label.textContent.trim().slice(0, 30)}`;
  };
  const attribute = () => {
    const keys = Object.keys(place.figure?.controls ?? {});
    if (keys.length === 0) return undefined;
    const key = one(keys);
    const word = one(['', '0', '1', '-1', '99999', '0.5', '1e-9', 'yes', 'no', 'nonsense']);
    if (random() < 0.5) place.setAttribute(key, word);
    else place.removeAttribute(key);
    return `attribute ${key} ${JSON.stringify(place.getAttribute(key))}`;
  };
  const page = () =>
    one([
      () => (document.getElementById('theme').click(), 'another theme'),
      () => (
        place.scrollIntoView({ behavior: 'instant', block: one(['start', 'center', 'end']) }),
        'scrolls there'
      ),
      () => (dispatchEvent(new Event('beforeprint')), 'would print'),
      () => {
        const choices = [...document.querySelectorAll('ropewalk-guess button')];
        return choices.length > 0 ? `guesses: ${press(one(choices))}` : 'nothing to guess';
      },
    ])();

  const kinds = [
    ...Array(6).fill(['input[type=range]', slide]),
    ...Array(2).fill(['.exact, textarea', type]),
    ...Array(2).fill(['select', choose]),
    ...Array(3).fill([
      'input[type=radio], input[type=checkbox], .drawing button, .tries button, summary, .actions button[aria-expanded]',
      press,
    ]),
    ...Array(2).fill(['.drawing svg *, .drawing canvas, .drawing [role=group]', point]),
    ['.drawing [tabindex], input[type=range]', strike],
    ['label, legend', reset],
    ['.actions button:last-of-type', press],
    [undefined, attribute],
    [undefined, page],
  ];
  const [selector, act] = one(kinds);
  const targets = selector === undefined ? [place] : inside(selector);
  if (targets.length === 0) return `${name}: nothing`;
  return `${name}: ${act(one(targets)) ?? 'nothing'}`;
}

/** Words and attributes of drawings that show an undefined number. */
export function faultsOnScreen() {
  const wrong = /\b(NaN|undefined|Infinity)\b|\[object /;
  const found = [];
  for (const place of document.querySelectorAll('ropewalk-figure, ropewalk-model')) {
    const name = place.getAttribute('name') ?? place.localName;
    const look = (node) => {
      if (node.nodeType === Node.TEXT_NODE && wrong.test(node.data))
        found.push(`${name} says "${node.data.trim().slice(0, 80)}"`);
      if (node.nodeType !== Node.ELEMENT_NODE) return;
      // What the reader typed is quoted as it stands.
      if (node.matches('textarea, .note, .exact, .lab-tokens, .long-passage, .fault, code, style'))
        return;
      for (const { name: attribute, value } of node.attributes)
        if (wrong.test(value) && !['aria-label', 'value'].includes(attribute))
          found.push(`${name}: <${node.localName} ${attribute}="${value.slice(0, 60)}">`);
      node.childNodes.forEach(look);
    };
    place.shadowRoot?.childNodes.forEach(look);
  }
  return found;
}

/** Resolves when every loaded figure is drawn or shows an error. */
export async function settled() {
  const isDone = (figure) =>
    !figure.figure || figure.hasAttribute('drawn') || figure.shadowRoot.querySelector('.fault');
  const figures = [...document.querySelectorAll('ropewalk-figure')];
  while (!figures.every(isDone)) await new Promise((done) => setTimeout(done));
  await Promise.all(figures.map((figure) => figure.updateComplete));
}
