/**
 * What a position scheme should do, and how far each scheme does it. In a chapter
 * `<!-- requirements -->` stands for the definitions, `<!-- ticks NAME -->` for the row of a scheme
 * and `<!-- ticks -->` for the table of all. Each tick links to the figure that measures it or to a
 * paper.
 */
import type { Language, Words } from '../languages.ts';

export const requirements = {
  bounded: {
    name: { en: 'Bounded', zh: '有界' },
    definition: {
      en: 'Its numbers stay within fixed limits, however long the text is.',
      zh: '不管文本多长，数值都在固定的范围内。',
    },
  },
  unique: {
    name: { en: 'Unique', zh: '唯一' },
    definition: {
      en: 'Two positions, or two distances, are never represented alike.',
      zh: '两个不同的位置（或两个不同的距离），表示也不同。',
    },
  },
  relative: {
    name: { en: 'Relative', zh: '相对' },
    definition: {
      en: 'A score depends on the distance of query and key, not on where the two are in the text.',
      zh: '分数取决于查询与键的距离，与两者在文中的位置无关。',
    },
  },
  directed: {
    name: { en: 'Directed', zh: '有方向' },
    definition: {
      en: 'A key before the query and a key after it have different scores.',
      zh: '键在查询之前与在查询之后，分数不同。',
    },
  },
  extrapolates: {
    name: { en: 'Extrapolates', zh: '可外推' },
    definition: {
      en: 'It works on texts longer than those of the training.',
      zh: '文本比训练时长，仍然管用。',
    },
  },
  cached: {
    name: { en: 'Cheap to cache', zh: '便于缓存' },
    definition: {
      en: 'What was computed for earlier tokens stays valid while the text grows.',
      zh: '文本变长时，前面词元已算好的结果仍然有效。',
    },
  },
} as const satisfies Record<string, { name: Words; definition: Words }>;

type Requirement = keyof typeof requirements;
type Mark = 'yes' | 'half' | 'no' | 'open';

interface Tick {
  mark: Mark;
  /** An anchor of the page or the address of a paper; none where nothing was measured. */
  evidence?: string;
  note: Words;
}

const tick =
  (mark: Mark) =>
  (evidence: string, en: string, zh: string): Tick => ({ mark, evidence, note: { en, zh } });
const yes = tick('yes');
const half = tick('half');
const no = tick('no');
const open: Tick = { mark: 'open', note: { en: 'not measured here', zh: '本页没有测量' } };

const keysStay = yes('#stale-cache-text', 'keys stay as they are', '键不再变化');
const byMask = half('#attention-lab', 'by a causal mask only', '只能靠因果掩码');
const asRope = {
  bounded: yes('#rotary-clocks', 'a rotation keeps lengths', '旋转不改变长度'),
  relative: yes('#rotary-clocks', 'only the difference counts', '只取决于位置之差'),
  directed: yes('#rotary-clocks', 'exchange m and n, and it changes', '对调 m 与 n，分数就变'),
};

export const schemes: Record<string, { name: Words } & Record<Requirement, Tick>> = {
  none: {
    name: { en: 'No position', zh: '没有位置' },
    bounded: yes('#order-is-missing', 'adds nothing', '什么也不加'),
    unique: no('#same-word', 'all places look the same', '处处都一样'),
    relative: no('#same-word', 'distance has no effect', '距离没有影响'),
    directed: byMask,
    extrapolates: no('#length-race', 'fails in the race', '比赛中失败'),
    cached: keysStay,
  },
  integers: {
    name: { en: 'Integers', zh: '整数' },
    bounded: no('#one-number', 'grow with the text', '随文本增大'),
    unique: yes('#one-number', 'one number each', '各有一个数'),
    relative: half('#one-number', 'equal steps, but no score', '间隔相等，但不是分数'),
    directed: yes('#one-number', 'larger is later', '越大越靠后'),
    extrapolates: no('#one-number', 'inputs never seen', '输入从没见过'),
    cached: yes('#one-number', 'positions never change', '位置不变'),
  },
  interval: {
    name: { en: 'Scaled to [0, 1]', zh: '缩放到 [0, 1]' },
    bounded: yes('#one-number', 'from 0 to 1', '0 到 1'),
    unique: half('#one-number', 'within one text only', '只在同一段文本内'),
    relative: no('#one-number', 'steps depend on the length', '间隔随长度变化'),
    directed: yes('#one-number', 'larger is later', '越大越靠后'),
    extrapolates: half('#one-number', 'known range, new steps', '范围见过，间隔没见过'),
    cached: no('#one-number', 'every new token moves all', '每来一个词元都要全改'),
  },
  bits: {
    name: { en: 'Binary digits', zh: '二进制' },
    bounded: yes('#bits-and-dials', '0 or 1', '0 或 1'),
    unique: yes('#bits-and-dials', 'up to 2ᵈ positions', '至多 2ᵈ 个位置'),
    relative: no('#bits-and-dials', 'one digit flips, or many', '有时翻一位，有时翻很多位'),
    directed: open,
    extrapolates: open,
    cached: yes('#bits-and-dials', 'positions never change', '位置不变'),
  },
  waves: {
    name: { en: 'Sine waves', zh: '正弦波' },
    bounded: yes('#dial-curve', 'from −1 to 1', '−1 到 1'),
    unique: half('#dial-curve', 'until the curve returns', '直到曲线折返'),
    relative: no('#bits-and-dials', 'steps differ in length', '每一步长短不一'),
    directed: open,
    extrapolates: open,
    cached: yes('#bits-and-dials', 'positions never change', '位置不变'),
  },
  sinusoidal: {
    name: { en: 'Sinusoidal encoding', zh: '正弦编码' },
    bounded: yes('#sinusoid-heatmap', 'from −1 to 1', '−1 到 1'),
    unique: yes('#sinusoid-heatmap', 'smallest distance above 0', '最小距离大于 0'),
    relative: half('#sinusoid-four-terms', 'one term of four', '四项中的一项'),
    directed: half('#sinusoid-dot-product', 'a layer has to learn it', '要靠这一层去学'),
    extrapolates: no('#length-race', 'fails within a few tokens', '几个词元之内就失败'),
    cached: keysStay,
  },
  learned: {
    name: { en: 'Learned table', zh: '可学习的表' },
    bounded: half('#learned-table', 'as training leaves it', '由训练决定'),
    unique: half('#learned-table', 'as training leaves it', '由训练决定'),
    relative: no('#attention-lab', 'depends on the rows', '取决于表的行'),
    directed: half('#attention-lab', 'a layer has to learn it', '要靠这一层去学'),
    extrapolates: no('#learned-table', 'ends at its last row', '到最后一行为止'),
    cached: keysStay,
  },
  recurrent: {
    name: { en: 'Recurrent layer', zh: '循环层' },
    bounded: yes('#recurrent-order', 'tanh limits the state', 'tanh 限制了状态'),
    unique: half('#recurrent-order', 'depends on the words', '取决于词'),
    relative: no('#recurrent-order', 'all earlier words matter', '与前面所有词有关'),
    directed: yes('#recurrent-order', 'it reads in order', '按顺序读'),
    extrapolates: open,
    cached: yes('#recurrent-order', 'one state, step by step', '一个状态，逐步计算'),
  },
  t5: {
    name: { en: 'T5 buckets', zh: 'T5 的桶' },
    bounded: yes('#t5-buckets', 'a fixed list of numbers', '固定的一组数'),
    unique: half('#t5-buckets', 'far distances share one', '远的距离共用一个'),
    relative: yes('#t5-buckets', 'distance alone', '只看距离'),
    directed: yes('#t5-buckets', 'own buckets for each side', '两侧各有各的桶'),
    extrapolates: half('#length-race', 'declines slowly', '缓慢下降'),
    cached: yes('#t5-buckets', 'keys have no position', '键里没有位置'),
  },
  alibi: {
    name: { en: 'ALiBi', zh: 'ALiBi' },
    bounded: half('#alibi-slopes', 'the penalty grows', '减去的数越来越大'),
    unique: yes('#alibi-slopes', 'one value per distance', '每个距离一个值'),
    relative: yes('#alibi-slopes', 'distance alone', '只看距离'),
    directed: byMask,
    extrapolates: half(
      '#flip-flop-memory',
      'flat, but not on sparse text',
      '保持水平，稀疏文本除外',
    ),
    cached: yes('#alibi-slopes', 'keys have no position', '键里没有位置'),
  },
  kerple: {
    name: { en: 'KERPLE', zh: 'KERPLE' },
    bounded: half('https://arxiv.org/abs/2205.09921', 'grows as a logarithm', '按对数增大'),
    unique: yes('https://arxiv.org/abs/2205.09921', 'one value per distance', '每个距离一个值'),
    relative: yes('https://arxiv.org/abs/2205.09921', 'distance alone', '只看距离'),
    directed: byMask,
    extrapolates: yes('#flip-flop-memory', 'also on sparse text', '稀疏文本也行'),
    cached: yes('https://arxiv.org/abs/2205.09921', 'keys have no position', '键里没有位置'),
  },
  rope: {
    name: { en: 'RoPE', zh: 'RoPE' },
    ...asRope,
    unique: yes('#rotary-wavelengths', 'slow pairs never return', '低频对转不完一圈'),
    extrapolates: no('#unseen-angles', 'unseen angles', '会遇到没见过的角度'),
    cached: keysStay,
  },
  pi: {
    name: { en: 'RoPE with PI', zh: 'RoPE + 位置内插（PI）' },
    ...asRope,
    unique: half('#frequency-scalings', 'neighbours move together', '相邻位置靠得太近'),
    extrapolates: half('#extend-without-training', 'drawers, not induction', '抽屉行，归纳不行'),
    cached: yes('#stale-cache-text', 'with a fixed factor', '倍数固定即可'),
  },
  ntk: {
    name: { en: 'RoPE with NTK-aware scaling', zh: 'RoPE + NTK-aware' },
    ...asRope,
    unique: yes('#frequency-scalings', 'fast pairs are kept', '高频对不变'),
    extrapolates: half('#extend-without-training', 'a little, on both tasks', '两个任务略有改善'),
    cached: half('#stale-cache', 'not in its dynamic form', '动态形式不行'),
  },
  yarn: {
    name: { en: 'RoPE with YaRN', zh: 'RoPE + YaRN' },
    ...asRope,
    unique: yes('#frequency-scalings', 'fast pairs are kept', '高频对不变'),
    extrapolates: half('#extend-without-training', 'mostly, on both tasks', '两个任务大体可行'),
    cached: yes('#stale-cache-text', 'with a fixed factor', '倍数固定即可'),
  },
  rerope: {
    name: { en: 'ReRoPE', zh: 'ReRoPE' },
    ...asRope,
    unique: half('#rerope-map', 'not beyond the window', '窗口以外分不清'),
    extrapolates: half(
      '#extend-without-training',
      'induction, mostly drawers',
      '归纳可行，抽屉大体可行',
    ),
    cached: half('#rerope-map', 'unrotated keys, two passes', '存旋转前的键，算两遍'),
  },
  fox: {
    name: { en: 'FoX', zh: 'FoX' },
    bounded: half('#moving-ruler', 'the sum grows', '和越来越大'),
    unique: half('#moving-ruler', 'an open gate adds nothing', '门全开时没有增加'),
    relative: half('#moving-ruler', 'a distance from the text', '距离由文本决定'),
    directed: byMask,
    extrapolates: yes('#length-race', 'near 100 % in the race', '比赛中接近 100%'),
    cached: yes('#text-family', 'one sum per token and head', '每个词元、每个头一个和'),
  },
  cope: {
    name: { en: 'CoPE', zh: 'CoPE' },
    bounded: yes('https://arxiv.org/abs/2405.18719', 'the count has a maximum', '计数有上限'),
    unique: half('#moving-ruler', 'a closed gate adds nothing', '门全关时没有增加'),
    relative: half('#moving-ruler', 'counts chosen tokens', '只数选中的词元'),
    directed: byMask,
    extrapolates: half('#flip-flop-memory', 'in the race, not here', '比赛中可以，这里不行'),
    cached: half('#text-family', 'gates for every query', '每个查询都要重算门'),
  },
};

const words = {
  marks: {
    yes: { sign: '✓', en: 'yes', zh: '是' },
    half: { sign: '◐', en: 'partly', zh: '部分' },
    no: { sign: '✗', en: 'no', zh: '否' },
    open: { sign: '–', en: 'not measured', zh: '没有测量' },
  },
  en: {
    caption: (name: string) => `${name} and <a href="#requirements">the six requirements</a>`,
    scheme: 'Scheme',
    label: (name: string, requirement: string, mark: string) => `${name}, ${requirement}: ${mark}`,
  },
  zh: {
    caption: (name: string) =>
      `${name}${/[!-~]$/.test(name) ? ' ' : ''}与<a href="#requirements">六项要求</a>`,
    scheme: '方案',
    label: (name: string, requirement: string, mark: string) => `${name}，${requirement}：${mark}`,
  },
} as const;

const all = Object.keys(requirements) as Requirement[];
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Returns the text of a chapter with the lists, rows and tables that it names. */
export function withSpine(text: string, language: Language): string {
  return text
    .replace('<!-- requirements -->', () => definitions(language))
    .replace('<!-- ticks -->', () => overview(language))
    .replace(/<!-- ticks (\w+) -->/g, (_, name: string) => row(name, language));
}

function definitions(language: Language): string {
  const items = all.map((key) => {
    const { name, definition } = requirements[key];
    return `<dt>${name[language]}</dt><dd>${definition[language]}</dd>`;
  });
  return `<dl class="requirements">${items.join('\n')}</dl>`;
}

function row(scheme: string, language: Language): string {
  const ticks = schemes[scheme];
  if (!ticks)
    throw new Error(`a chapter shows the ticks of "${scheme}", which spine.ts does not list`);
  const items = all.map((key) => {
    const { mark, evidence, note } = ticks[key];
    const { sign, [language]: word } = words.marks[mark];
    const name = requirements[key].name[language];
    const title = evidence ? `<a href="${evidence}">${name}</a>` : name;
    return `<li class="${mark}"><span class="sign" role="img" aria-label="${word}">${sign}</span> ${title}<small>${escaped(note[language])}</small></li>`;
  });
  return `<figure class="ticks" id="ticks-${scheme}"><figcaption>${words[language].caption(ticks.name[language])}</figcaption>
<ul>${items.join('\n')}</ul></figure>`;
}

function overview(language: Language): string {
  const head = all.map((key) => `<th scope="col">${requirements[key].name[language]}</th>`);
  const rows = Object.entries(schemes).map(([scheme, ticks]) => {
    const name = ticks.name[language];
    const cells = all.map((key) => {
      const { mark, evidence } = ticks[key];
      const { sign, [language]: word } = words.marks[mark];
      const label = words[language].label(name, requirements[key].name[language], word);
      const link = evidence
        ? `<a href="${evidence}" aria-label="${label}">${sign}</a>`
        : `<span role="img" aria-label="${label}">${sign}</span>`;
      return `<td class="${mark}">${link}</td>`;
    });
    return `<tr><th scope="row"><a href="#ticks-${scheme}">${name}</a></th>${cells.join('')}</tr>`;
  });
  return `<div class="scrolling" tabindex="0"><table class="facts overview">
<thead><tr><th scope="col">${words[language].scheme}</th>${head.join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}
