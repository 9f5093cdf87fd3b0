import type { ComponentChildren } from 'preact'
import { DAY } from '#base/time.ts'
import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { InstanceNeeds } from '#machinery/ops/instance-needs.ts'

/** One thing that needs a person. */
export interface Item {
  key: string
  text: ComponentChildren
  about: ComponentChildren
  href?: string
}

/** An account gets this much time to set up backups before it is told to. */
const BACKUPS_BY = 3 * DAY

/** Returns what the operators of the instance are told about it. */
export function instanceItems(
  { instance, now }: { instance: InstanceNeeds | undefined; now: number },
  { account, voice }: AccountRequest,
): Item[] {
  if (instance === undefined) return []
  const { needs: texts } = voice.texts
  const { format } = voice
  const { isDoorOnly, backup, isWithoutBackups, certificateEnds: ends, disk } = instance
  const items: Omit<Item, 'href'>[] = []
  if (isDoorOnly) items.push({ key: 'box', text: texts.box, about: texts.boxAbout })
  if (backup !== undefined) {
    const text = backup.newest === null ? texts.noBackupYet : texts.lateBackup(format.dateTime(backup.newest))
    items.push({ key: 'backup', text, about: texts.lateAbout })
  }
  if (isWithoutBackups && now - Date.parse(account.created_at) > BACKUPS_BY) {
    items.push({ key: 'backup', text: texts.withoutBackups, about: texts.withoutBackupsAbout })
  }
  if (ends !== undefined) {
    const when = format.dateTime(ends)
    const text = ends > now ? texts.certificateEnds(when) : texts.certificateEnded(when)
    items.push({ key: 'certificate', text, about: texts.certificateAbout })
  }
  if (disk !== undefined) {
    const about = texts.diskAbout(format.bytes(disk.free), format.bytes(disk.total))
    items.push({ key: 'disk', text: texts.disk, about })
  }
  return items.map(item => ({ ...item, href: paths.system(account.id) }))
}
