import { leavesOf } from '../commands.mjs'

/**
 * Makes the page of the manual, in the language of man(7), of the same declarations that the help is made of.
 *
 * @param {import('../commands.mjs').Command} program
 * @param {{ version: string, date: number }} options the date in seconds
 */
export function makeManual(program, { version, date }) {
  const day = new Date(date * 1000).toISOString().slice(0, 10)
  const lines = [
    `.TH TURNOUT 1 "${day}" "turnout ${version}" "Turnout"`,
    // Addresses and flags are not broken at the end of a line.
    '.nh',
    '.ad l',
    '.SH NAME',
    `turnout \\- ${plain(lowerFirst(program.description.replace(/\.$/, '')))}`,
    '.SH SYNOPSIS',
    '.B turnout',
    '.I command',
    '.RI [ operand " ...]"',
    '.RI [ flag " ...]"',
    '.SH DESCRIPTION',
    ...paragraph(
      'Turnout runs events: a dashboard for people, a REST API for programs, one file of data. The service of this machine is turnout.service, and its settings are in /etc/turnout/turnout.conf. Commands may run beside it; they work on its data as its user:',
    ),
    ...example('$ runuser -u turnout -- turnout check --data /var/lib/turnout'),
    '.SH COMMANDS',
    ...leavesOf(program).flatMap(({ path, command }) => section(path, command)),
    '.SH ENVIRONMENT',
    ...paragraph(OF_VARIABLES),
    '.SH FILES',
    ...files(),
    '.SH EXIT STATUS',
    ...definition('0', 'The work is done.'),
    ...definition('1', 'It failed, or a rule refused a value. A sentence says why.'),
    ...definition('2', 'There is no such command or flag, or an operand is missing.'),
    '.SH SEE ALSO',
    '.BR systemctl (1),',
    '.BR journalctl (1)',
  ]
  return `${lines.join('\n')}\n`
}

const OF_VARIABLES =
  'Every flag but --help has a variable: --base-url is TURNOUT_BASE_URL. A flag beats its variable. An empty variable is none; that of a flag without a value takes 1 or 0.'

function files() {
  return [
    ...definition('/etc/turnout/turnout.conf', 'The settings of the service, as variables.'),
    ...definition('/var/lib/turnout', 'The data, of which turnout.db is the database.'),
    ...definition('/var/backups/turnout', 'A folder for backups, which the service may write to.'),
  ]
}

function section(path, { description, operands, flags, example: shown }) {
  const operand = ({ name, isRequired, isMany }) => {
    const inner = `${name}${isMany ? '...' : ''}`
    return isRequired ? `<${inner}>` : `[${inner}]`
  }
  return [
    `.SS turnout ${plain([...path, ...operands.map(operand)].join(' '))}`,
    ...paragraph(sentence(description)),
    ...operands.flatMap(each => definition(operand(each), each.description, 'I')),
    ...flags.filter(({ long }) => long !== 'help').flatMap(flagLines),
    ...(shown === undefined ? [] : ['.PP', 'Example:', ...example(shown)]),
  ]
}

function flagLines({ flags, description, byDefault, isRequired }) {
  const notes = [
    ...(isRequired ? ['required'] : []),
    ...(byDefault === undefined || byDefault === false ? [] : [`default ${byDefault}`]),
  ]
  return definition(flags, `${description}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`)
}

function definition(term, text, font = 'B') {
  return ['.TP', `.${font} ${plain(term)}`, ...paragraphText(text)]
}

function example(text) {
  return ['.PP', '.RS 4', '.nf', ...text.split('\n').map(plain), '.fi', '.RE']
}

function paragraph(text) {
  return ['.PP', ...paragraphText(text)]
}

function paragraphText(text) {
  return text.split('\n').map(plain)
}

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
}

function lowerFirst(text) {
  return text[0].toLowerCase() + text.slice(1)
}

/** A hyphen that is typed must stay one, and a point or apostrophe at the beginning of a line is a command. */
function plain(text) {
  return (
    text
      .replaceAll('\\', '\\e')
      .replaceAll('-', '\\-')
      // A list without spaces may be broken behind its commas.
      .replaceAll(/,(?=\S)/g, ',\\:')
      .replaceAll('…', '...')
      .replaceAll(/[“”]/g, '"')
      .replace(/^(?=[.'])/, '\\&')
  )
}
