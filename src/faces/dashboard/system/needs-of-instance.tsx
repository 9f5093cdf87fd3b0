import type { ComponentChildren } from 'preact'
import type { InstanceNeeds } from '../ops/instance-needs.ts'
import { DAY } from '../time.ts'
import type { OfAccount } from './asked.ts'
import { paths } from './paths.ts'

/** One thing that asks for somebody. */
export interface Item {
  key: string
  text: ComponentChildren
  about: ComponentChildren
  href?: string
}

/** An account has so long to think of its backups. */
const BACKUPS_BY = 3 * DAY

/** What whoever runs the instance is told of it. */
export function instanceItems(
  { instance, now }: { instance: InstanceNeeds | undefined; now: number },
  { account, voice }: OfAccount,
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
