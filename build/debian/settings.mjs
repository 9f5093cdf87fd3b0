/**
 * Makes the file of settings: a line for each variable of `serve`, commented out, with the sentence of its flag.
 *
 * @param {import('../commands.mjs').Command} program
 */
export function makeSettings(program) {
  const { flags } = program.commands.find(({ name }) => name === 'serve')
  const blocks = flags
    .filter(({ long, variable }) => variable !== undefined && !elsewhere.has(long))
    .map(({ variable, value, description, byDefault }) => {
      const shown = value === undefined ? '1' : typeof byDefault === 'string' ? byDefault : ''
      return [...wrap(description), `#${variable}=${shown}`].join('\n')
    })
  return `${HEAD}\n${blocks.join('\n\n')}\n`
}

/** The unit names the folder, and the journal takes lines for people. */
const elsewhere = new Set(['data', 'json'])

const HEAD = `# The settings of turnout.service. Take the # from the beginning of a line, write the value behind the =, and then:
#
#   systemctl restart turnout
#
# Only root can read this file, as some settings have passwords. The data is in /var/lib/turnout.
`

function wrap(text) {
  const lines = ['#']
  for (const word of text.split(' ')) {
    if ((lines.at(-1) ?? '').length + word.length > 98) lines.push('#')
    lines.push(`${lines.pop()} ${word}`)
  }
  return lines
}
