import { createRopewalk } from 'ropewalk';

const rw = await createRopewalk();
const scaling = { type: 'yarn', factor: 8, originalLength: 4096 };
const trained = rw.rotaryFrequencies({ dim: 128 }).inverseFrequencies;
const { inverseFrequencies, attentionFactor } = rw.rotaryFrequencies({ dim: 128, scaling });
const ratios = [0, 20, 33, 46, 63].map((i) => (inverseFrequencies[i] / trained[i]).toFixed(4));
console.log(...ratios, attentionFactor.toFixed(4));
// 1.0000 1.0000 0.5625 0.1250 0.1250 1.2079
