import { readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { findPlaces, makePrivateFolder } from '#machinery/files/private-cache.ts'

const SLASH = 0x2f

/** The byte that stands for the slash of each end of a comment, in a program that is carried in one. */
export const SLASH_IN_COMMENT = 0x01

/** What `module` of a CommonJS file has, and Node's types do not say. */
interface CompilingModule {
  _compile(text: string, path: string): void
}

/**
 * Runs the program that a file carries in a comment. Node compiles the file that it starts before any line of it runs, so that no
 * cache can help with it. What is compiled afterwards comes from Node's cache of compiled code, to which each process adds at its
 * end. That takes a third off the start.
 *
 * @param marker stands at both ends of the program. What is before the program is one line, so that its lines keep their numbers.
 */
export function runCarried(module: NodeJS.Module, marker: string): void {
  keepCompiledCode()
  const file = readFileSync(module.filename)
  const begin = file.indexOf(`/*${marker}`) + marker.length + 2
  const program = file.subarray(begin, file.indexOf(`${marker}*/`, begin))
  for (let at = program.indexOf(SLASH_IN_COMMENT); at !== -1; at = program.indexOf(SLASH_IN_COMMENT, at)) {
    program[at] = SLASH
  }
  ;(module as unknown as CompilingModule)._compile(program.toString('latin1'), module.filename)
}

/**
 * Has Node keep compiled code in a folder of the user's own cache, which nobody else can write to. Without such a folder, Node
 * compiles each time. Node itself compares what it finds with the text, with its own version and with a checksum. It uses another
 * folder, or none, if the environment says so.
 */
function keepCompiledCode(): void {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env
  if (NODE_COMPILE_CACHE !== undefined || NODE_DISABLE_COMPILE_CACHE !== undefined) return
  const [place] = findPlaces(process.env, { ofService: 'code', within: ['code'] }).places
  try {
    if (place !== undefined) enableCompileCache(makePrivateFolder(place))
  } catch {
    // A slower start is no reason to fail. What cannot do without the cache says why it cannot be used.
  }
}
