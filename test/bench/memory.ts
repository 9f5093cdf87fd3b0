import { readFileSync } from 'node:fs'

export interface Memory {
  now: number
  /** The highest since the process began, or since it was last forgotten. */
  peak: number
}

/** Returns the resident memory of a process, in MiB. */
export function memoryOf(id: number | 'self'): Memory {
  const status = readFileSync(`/proc/${id}/status`, 'utf8')
  const mebibytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024
  return { now: mebibytes('VmRSS'), peak: mebibytes('VmHWM') }
}
