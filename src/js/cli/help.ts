/** The help of `npx ropewalk`, made from the table of commands. */
import { commands } from './commands.js';
import { shared, sharedByPrograms, type CommandText, type OptionRule } from './rules.js';

export const kebab = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const placeholders = {
  number: 'X',
  whole: 'N',
  count: 'N',
  file: 'FILE',
  array: 'FILE',
  numbers: 'X,X,…|FILE',
  names: 'NAMES',
  text: 'TEXT',
  texts: 'TEXT',
  flag: '',
  files: 'FILE…',
  pairs: 'NAME=VALUE…',
};

const valueOf = ({ kind }: OptionRule) =>
  typeof kind === 'string' ? placeholders[kind] : kind.join('|');

/** Two columns in the 80 of a terminal; a long option has a line of its own. */
const [margin, width] = [30, 80];

function wrapped(text: string, columns: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function optionLines([name, rule]: [string, OptionRule]): string {
  const option =
    `  ${rule.short ? `-${rule.short}, ` : ''}--${kebab(name)} ${valueOf(rule)}`.trimEnd();
  const of = rule.of && `of ${rule.of.join(', ')}`;
  const text = [of, rule.says].filter(Boolean).join(': ');
  const says = wrapped(`${text}${rule.required ? ' (required)' : ''}`, width - margin);
  const fits = option.length + 2 <= margin;
  const lines = fits ? says : ['', ...says];
  return lines.map((line, i) => `${(i ? '' : option).padEnd(line ? margin : 0)}${line}\n`).join('');
}

/** @param others options that it shares with other commands */
function textOf(name: string, text: CommandText, others: Record<string, OptionRule>): string {
  const { says, operands, options, example } = text;
  const lines = (rules: Record<string, OptionRule>) =>
    Object.entries(rules).map(optionLines).join('');
  const called = ['ropewalk', name, ...(operands ? [operands] : []), '[options]'].join(' ');
  return (
    `Usage: ${called}\n\n${wrapped(`${says[0]!.toUpperCase()}${says.slice(1)}.`, width).join('\n')}\n\n` +
    `Options:\n${lines({ ...options, ...others })}\nExample:\n  ${example}\n`
  );
}

export function helpOf(name: string): string {
  const command = commands[name]!;
  const { return: results, ...others } = shared;
  return textOf(name, command, { return: command.options['return'] ?? results!, ...others });
}

export const helpOfProgram = (name: string, program: CommandText): string =>
  textOf(name, program, sharedByPrograms);

export function help(programs: Record<string, CommandText>): string {
  const all = { ...commands, ...programs };
  const columns = Math.max(...Object.keys(all).map((name) => name.length)) + 4;
  const list = Object.entries(all)
    .map(([name, { says }]) =>
      wrapped(says, width - columns)
        .map((line, i) => `${(i ? '' : `  ${name}`).padEnd(columns)}${line}\n`)
        .join(''),
    )
    .join('');
  return `Usage: ropewalk COMMAND … [options]

${list}
Run ropewalk COMMAND --help for the options of a command, ropewalk --version for the version.
A FILE of arrays is .npy or .safetensors; FILE.safetensors#NAME is one of several.
A FOLDER has a model of Hugging Face, or is a .gguf file or the .bin of llama2.c in one.
Ends with 0, with 1 after a failure, with 2 when called wrongly.
`;
}
