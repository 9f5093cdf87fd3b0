import { constants, type Stats } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Finding, finding } from './finding.ts'

/** The folder has a dozen entries. */
const MOST_ENTRIES = 1_000
const OF_OTHERS = 0o077
const OF_ALL = 0o007

export interface RightsPatient {
  data: string
  /** Files with secrets that the settings name. */
  secretFiles: readonly string[]
}

/** Looks at whose the files are and who may read them. Windows has other rights, and nothing is said there. */
export async function lookAtRights({ data, secretFiles }: RightsPatient): Promise<Finding[]> {
  if (process.getuid === undefined) return []
  const folder = await stat(data)
  const found: Finding[] = []
  const names = (await readdir(data)).slice(0, MOST_ENTRIES)
  const entries = await Promise.all(names.map(async name => statOf(join(data, name))))
  const strange = entries.find(entry => entry !== undefined && entry.stats.uid !== folder.uid)
  // It is only looked at: closing a file of the database frees the locks that SQLite holds on it for this process.
  const closed = await firstOf([data, ...names.map(name => join(data, name))], isClosed)
  if (strange !== undefined) {
    found.push(finding('error', 'rights_mixed', ({ texts }) => texts.doctor.rightsMixed(strange.path, data)))
  } else if (closed !== undefined) {
    found.push(finding('error', 'rights_missing', ({ texts }) => texts.doctor.rightsMissing(closed)))
  }
  const open = [
    ...entries.filter(entry => entry?.path.endsWith('/turnout.db') && (entry.stats.mode & OF_OTHERS) !== 0),
    ...(await Promise.all(secretFiles.map(statOf))).filter(
      entry => entry !== undefined && (entry.stats.mode & OF_ALL) !== 0,
    ),
  ]
  for (const entry of open) {
    const path = entry?.path ?? ''
    found.push(finding('warning', 'rights_open', ({ texts }) => texts.doctor.rightsOpen(path)))
  }
  if (found.length > 0) return found
  return [finding('ok', 'rights_right', ({ texts }) => texts.doctor.rightsRight(data))]
}

/** @returns undefined if it is gone or not to be looked at, as a file beside the database may be */
async function statOf(path: string): Promise<{ path: string; stats: Stats } | undefined> {
  try {
    return { path, stats: await stat(path) }
  } catch {
    return undefined
  }
}

async function isClosed(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK | constants.W_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

async function firstOf(
  paths: readonly string[],
  is: (path: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const path of paths) if (await is(path)) return path
  return undefined
}
