/** The help of `npx ropewalk`, made from the table of commands. */
import { commands, shared, type OptionRule } from './cli_commands.js';

export const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const placeholders = { number: 'X', whole: 'N', file: 'FILE', names: 'NAMES', text: 'TEXT' };

const valueOf = ({ kind }: OptionRule) => (typeof kind === 'object' ? kind.join('|') : placeholders[kind]);

const optionLines = (rules: Record<string, OptionRule>) =>
  Object.entries(rules).map(([name, rule]) => {
    const short = rule.short ? `-${rule.short}, ` : '';
    return `  ${short}--${kebab(name)} ${valueOf(rule)}\n      ${rule.says}${rule.required ? ' (required)' : ''}\n`;
  }).join('');

export function helpOf(name: string): string {
  const { says, operands, options, example } = commands[name]!;
  return `Usage: ropewalk ${name} ${operands} [options]\n\n${name}: ${says}.\n\n`
    + `Options:\n${optionLines({ ...shared, ...options })}\nExample:\n  ${example}\n`;
}

export function help(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length)) + 2;
  const list = Object.entries(commands).map(([name, { says }]) => `  ${name.padEnd(width)}${says}\n`).join('');
  return `Usage: ropewalk COMMAND … [options]

${list}
ropewalk COMMAND --help tells the options of a command; ropewalk --version the version.
A file of arrays is .npy or .safetensors; FILE.safetensors#NAME is one of several arrays.
Ends with 0, with 1 after a failure, with 2 when called wrongly.
`;
}
