import { readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { findPlaces, makePrivateFolder } from '#machinery/files/private-cache.ts'

const SLASH = 0x2f

/** The byte that stands for the slash of each end of a comment, in a program that is carried in one. */
export const SLASH_IN_COMMENT = 0x01

/** What `module` of a CommonJS file has, and Node's types do not say, and what a bundle adds to it. */
interface CarryingModule {
  _compile(text: string, path: string): void
  carried: Buffer
}

/** Where something in a file begins and ends, in bytes behind its first line. */
type Place = readonly [number, number]

const NEW_LINE = 0x0a

/**
 * Runs the program that a file carries in a comment behind its first line. Node compiles the file that it starts before any line of it
 * runs, so that no cache can help with it. What is compiled afterwards comes from Node's cache of compiled code, to which each process
 * adds at its end. That takes a third off the start. An empty line stands for the first, so that lines keep their numbers.
 *
 * @param size of the program in bytes
 * @param data see `offerCarriedData`
 */
export function runCarried(module: NodeJS.Module, size: number, data: Place): void {
  keepCompiledCode()
  const file = readFileSync(module.filename)
  const begin = file.indexOf(NEW_LINE)
  const program = file.subarray(begin, begin + 1 + size)
  for (let at = program.indexOf(SLASH_IN_COMMENT); at !== -1; at = program.indexOf(SLASH_IN_COMMENT, at)) {
    program[at] = SLASH
  }
  const text = program.toString('latin1')
  keepData(module, file, data)
  asCarrying(module)._compile(text, module.filename)
}

/**
 * Gives a program what it carries in a comment behind it, as `module.carried`: fonts, codecs, the scanner's page, packages that are
 * seldom used. As texts of the program each start scanned them, and they were kept as its text. They are read with the program,
 * because somebody may replace its file while it runs. A buffer is all that is given: a function would keep the text of the whole
 * file in memory.
 */
export function offerCarriedData(module: NodeJS.Module, data: Place): void {
  keepData(module, readFileSync(module.filename), data)
}

/** Copies the data, and gives the memory of the whole file back at once. */
function keepData(module: NodeJS.Module, file: Buffer<ArrayBuffer>, [begin, end]: Place): void {
  const behind = file.indexOf(NEW_LINE) + 1
  asCarrying(module).carried = Buffer.from(file.subarray(behind + begin, behind + end))
  // A Node that is too old lacks it, and the program is to say so.
  file.buffer.transfer?.(0)
}

function asCarrying(module: NodeJS.Module): CarryingModule {
  return module as unknown as CarryingModule
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
