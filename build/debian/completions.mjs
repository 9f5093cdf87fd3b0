import { kindOf, leavesOf } from '../commands.mjs'

// Completions of three shells, made of the declarations of commands and flags.

/** @returns {{ path: string, content: string }[]} where Debian's packages of the shells look for them */
export function makeCompletions(program) {
  return [
    { path: 'usr/share/bash-completion/completions/turnout', content: forBash(program) },
    { path: 'usr/share/zsh/vendor-completions/_turnout', content: forZsh(program) },
    { path: 'usr/share/fish/vendor_completions.d/turnout.fish', content: forFish(program) },
  ]
}

/** @returns the groups, with the words that may follow each; that of the program itself is the empty path */
function groupsOf(program) {
  const groups = program.commands.filter(({ commands }) => commands.length > 0)
  return [
    { path: '', commands: program.commands },
    ...groups.map(({ name, commands }) => ({ path: name, commands })),
  ]
}

const wordsOf = ({ flags }) =>
  flags.flatMap(({ long, short }) => [`--${long}`, ...(short ? [`-${short}`] : [])])

/** @returns the long flags of all commands with a value of a kind; a flag of one name has one kind */
function valued(program, kind) {
  const flags = leavesOf(program).flatMap(({ command }) => command.flags)
  const found = flags.filter(({ value }) => value !== undefined && kindOf(value) === kind)
  return [...new Set(found.map(({ long }) => `--${long}`))].sort()
}

function forBash(program) {
  const groups = groupsOf(program).map(
    ({ path, commands }) => `    '${path}') words='${commands.map(({ name }) => name).join(' ')} --help' ;;`,
  )
  const leaves = leavesOf(program).map(
    ({ path, command }) => `    '${path.join(' ')}') words='${wordsOf(command).join(' ')}' ;;`,
  )
  const names = program.commands.filter(({ commands }) => commands.length > 0).map(({ name }) => name)
  return `# bash completion for turnout

_turnout() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} path='' words='' word skip='' at
  COMPREPLY=()
  case $prev in
    ${valued(program, 'file').join(' | ')}) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    ${valued(program, 'folder').join(' | ')}) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
    ${valued(program, 'word').join(' | ')}) return ;;
  esac
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if [ -n "$skip" ]; then skip=''; continue; fi
    case $word in
      ${['file', 'folder', 'word'].flatMap(kind => valued(program, kind)).join(' | ')}) skip=1 ;;
      -*) ;;
      *)
        case $path in
          '') path=$word ;;
          ${names.join(' | ')}) path="$path $word" ;;
        esac ;;
    esac
  done
  case $path in
${[...groups, ...leaves].join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
  if [ \${#COMPREPLY[@]} -eq 0 ] && [[ $cur != -* ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  fi
}

complete -F _turnout turnout
`
}

function forZsh(program) {
  const list = ({ path, commands }) => `_turnout_${path || 'all'}_commands() {
  local -a commands=(
${commands.map(({ name, description }) => `    ${quoted(`${name}:${description.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  _describe command commands
}`
  const flag = ({ long, short, value, description }) => {
    const text = description.replaceAll(/[[\]:\\]/g, '\\$&')
    const then = value === undefined ? '' : `:${value}:${actions[kindOf(value)]}`
    return [`--${long}[${text}]${then}`, ...(short ? [`-${short}[${text}]${then}`] : [])].map(quoted)
  }
  const operand = ({ name, isRequired, isMany }) =>
    quoted(`${isMany ? '*' : ''}:${isRequired ? '' : ':'}${name}:${actions[kindOf(name)]}`)
  const rest = ({ flags, operands }, depth) =>
    [...flags.flatMap(flag), ...operands.map(operand)]
      .map(line => `${' '.repeat(depth)}${line}`)
      .join(' \\\n')
  const cases = program.commands.map(command => {
    if (command.commands.length === 0)
      return `    ${command.name})\n      _arguments \\\n${rest(command, 8)}\n      ;;`
    const subs = command.commands.map(
      sub => `            ${sub.name})\n              _arguments \\\n${rest(sub, 16)}\n              ;;`,
    )
    return `    ${command.name})
      _arguments -C '1: :_turnout_${command.name}_commands' '*:: :->sub'
      case $state in
        sub)
          case $line[1] in
${subs.join('\n')}
          esac
          ;;
      esac
      ;;`
  })
  return `#compdef turnout

${groupsOf(program).map(list).join('\n\n')}

_turnout() {
  local curcontext="$curcontext" state line
  typeset -A opt_args
  _arguments -C '1: :_turnout_all_commands' '*:: :->command'
  [[ $state == command ]] || return
  case $line[1] in
${cases.join('\n')}
  esac
}

_turnout "$@"
`
}

const actions = { file: '_files', folder: '_files -/', word: ' ' }

function forFish(program) {
  const lines = ['# fish completion for turnout', '', 'complete -c turnout -f']
  for (const { name, description, commands, ...rest } of program.commands) {
    lines.push(`complete -c turnout -n __fish_use_subcommand -a ${name} -d ${quotedInFish(description)}`)
    const seen = `__fish_seen_subcommand_from ${name}`
    if (commands.length === 0) lines.push(...flagsForFish(seen, rest))
    const names = commands.map(sub => sub.name).join(' ')
    for (const sub of commands) {
      lines.push(
        `complete -c turnout -n '${seen}; and not __fish_seen_subcommand_from ${names}' -a ${sub.name} -d ${quotedInFish(sub.description)}`,
        ...flagsForFish(`${seen}; and __fish_seen_subcommand_from ${sub.name}`, sub),
      )
    }
  }
  return `${lines.join('\n')}\n`
}

function flagsForFish(condition, { flags, operands }) {
  const lines = flags.map(({ long, short, value, description }) => {
    const then = { file: ' -r -F', folder: " -x -a '(__fish_complete_directories)'", word: ' -x' }
    const ending = value === undefined ? '' : then[kindOf(value)]
    const names = `-l ${long}${short ? ` -s ${short}` : ''}`
    return `complete -c turnout -n '${condition}' ${names}${ending} -d ${quotedInFish(description)}`
  })
  const takesFile = operands?.some(({ name }) => kindOf(name) === 'file')
  return takesFile ? [...lines, `complete -c turnout -n '${condition}' -F`] : lines
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function quotedInFish(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
