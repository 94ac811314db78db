/** From a control's definition and value to its component. */
import type { TemplateResult } from 'lit';
import { menu, segments } from '../components/choice.ts';
import { slider } from '../components/slider.ts';
import { toggle } from '../components/switch.ts';
import { textField } from '../components/text_field.ts';
import type { Language } from '../languages.ts';
import type { Control } from './figure.ts';
import { words } from './words.ts';

interface Use {
  id: string;
  language: Language;
  value: number | string | boolean;
  /** The largest value for now, where it depends on other settings. */
  limit: number | undefined;
  onInput(value: number | string | boolean): void;
  onReset(): void;
}

export function controlFor(control: Control, use: Use): TemplateResult {
  const { language, value, onInput, onReset } = use;
  const label = control.label[language];
  const common = { id: use.id, label, symbol: control.symbol, hue: control.hue, onInput, onReset };
  switch (control.kind) {
    case 'range': {
      const { min, max, step = 1 } = control;
      const exactLabel = words.exact[language](label, min, use.limit ?? max);
      return slider({
        ...common,
        value: value as number,
        min,
        max: use.limit ?? max,
        step,
        exactLabel,
      });
    }
    case 'choice': {
      const options = control.options.map((option) => ({
        value: option.value,
        label: option.label[language],
        group: option.group?.[language],
      }));
      const choice = control.look === 'menu' ? menu : segments;
      return choice({ ...common, value: value as string, options });
    }
    case 'switch':
      return toggle({ ...common, value: value as boolean });
    case 'text':
      return textField({ ...common, value: value as string, isLine: control.isLine ?? false });
  }
}
