import { stat } from 'node:fs/promises'
import { type Clock, DAY } from '#base/time.ts'
import { dueAfter, type MadeBackup } from '../scheduled-backups.ts'
import { type Finding, finding } from './finding.ts'

export interface BackupsPatient {
  data: string
  clock: Clock
  /** Whether PostgreSQL has the data, whose own tools back it up. */
  isOfPostgres: boolean
  /** The folder and the cron line of the backups, and what is in the folder. It is undefined if the server makes none. */
  backups: { folder: string; every: string; list: () => Promise<readonly MadeBackup[]> } | undefined
}

/** Looks how old the newest backup is, and whether it would outlive the disk of the data. */
export async function lookAtBackups({
  data,
  clock,
  isOfPostgres,
  backups,
}: BackupsPatient): Promise<Finding[]> {
  if (isOfPostgres) return [finding('info', 'backups_by_others', ({ texts }) => texts.doctor.backupsByOthers)]
  if (backups === undefined)
    return [finding('warning', 'backups_off', ({ texts }) => texts.doctor.backupsOff)]
  const { folder, every } = backups
  // A restored server lacks the secrets of a backup to pass on.
  const newest = (await backups.list()).find(({ isToPassOn }) => !isToPassOn)
  if (newest === undefined)
    return [finding('warning', 'backup_missing', ({ texts }) => texts.doctor.backupMissing(folder))]
  const isLate = clock() > dueAfter(every, newest.at) + DAY
  const found = isLate
    ? finding('error', 'backup_late', ({ texts, format }) =>
        texts.doctor.backupLate(format.dateTime(newest.at)),
      )
    : finding('ok', 'backup_made', ({ texts, format }) =>
        texts.doctor.backupMade(format.dateTime(newest.at), format.bytes(newest.size)),
      )
  const [one, other] = await Promise.all([stat(folder), stat(data)])
  if (one.dev !== other.dev) return [found]
  return [found, finding('info', 'backups_beside', ({ texts }) => texts.doctor.backupsBeside(folder))]
}
