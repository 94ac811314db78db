/** The layers of a config.json, read in the page itself: it takes no binary and no time. */
import { layerPlanFromConfig } from 'ropewalk/config';
import { accountInWords } from './account_texts.ts';

export function layerPlan(config: string | object) {
  const { layers, account } = layerPlanFromConfig(config);
  return { layers, account: accountInWords(account) };
}

export type LayerPlan = ReturnType<typeof layerPlan>;
