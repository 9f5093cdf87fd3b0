import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { newUuid } from '../ids.ts'

/**
 * A file for this process alone, which is gone with it however it ends: it has a name only while it is made.
 *
 * @throws Error of the system
 */
export async function openUnnamed(folder: string): Promise<FileHandle> {
  const path = join(folder, `.turnout-${newUuid()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}
