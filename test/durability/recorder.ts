import { execFileSync, spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Surroundings } from '#test/support/server-process.ts'

/** Says why a recording cannot be made here. It is undefined where it can. */
export const noRecorder: string | undefined =
  process.platform !== 'linux'
    ? 'the recorder is for Linux'
    : spawnSync('cc', ['--version']).status !== 0
      ? 'there is no C compiler (cc) to build the recorder with'
      : undefined

/** Builds the recorder into a folder. @returns the library */
export function buildRecorder(folder: string): string {
  const library = join(folder, 'recorder.so')
  const source = new URL('./recorder.c', import.meta.url).pathname
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl', '-lpthread'])
  return library
}

/** Returns the environment in which a process writes down what it does to a data folder. */
export function recording(library: string, data: string, to: string): Surroundings & { env: object } {
  return { env: { LD_PRELOAD: library, RECORD_FOLDER: realpathSync(data), RECORD_TO: to } }
}
