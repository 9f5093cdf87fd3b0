import { paths } from '#faces/dashboard/frame/paths.ts'
import { Banner, Facts, PostButton, Preformatted, Progress, Time } from '#machinery/web/components/parts.tsx'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import type { BackupState } from './system-service.ts'

interface Row {
  name: string
  path: string
  at: number
  size: number
  byHand: boolean
  isToPassOn: boolean
}

const list: List<Row> = {
  caption: texts => texts.system.backupsCaption,
  columns: [
    {
      label: texts => texts.system.made,
      place: 'name',
      cell: ({ at }, { format }) => <Time at={at} format={format} />,
    },
    {
      label: texts => texts.system.by,
      place: 'line',
      cell: ({ byHand, isToPassOn }, { texts: { system } }) =>
        isToPassOn ? system.toPassOn : byHand ? system.byHand : system.bySchedule,
    },
    {
      label: texts => texts.system.size,
      place: 'when',
      isNumber: true,
      cell: ({ size }, { format }) => format.bytes(size),
    },
    {
      label: texts => texts.system.download,
      place: 'amount',
      cell: ({ path, at }, { texts, format }) => (
        <PostButton action={path} label={texts.system.downloadOf(format.dateTime(at))}>
          {texts.system.download}
        </PostButton>
      ),
    },
  ],
}

/** Explains how to set backups up. */
export function NoBackups({ voice: { texts } }: { voice: Voice }) {
  const { system: labels } = texts
  return (
    <section class="card stack" aria-labelledby="backups">
      <h2 id="backups">{labels.backups}</h2>
      <Banner tone="warn">
        <p>{labels.notSetUp}</p>
      </Banner>
      <p>{labels.notSetUpHow}</p>
      <Preformatted text="turnout serve --backup-dir /var/backups/turnout" />
      <p>{labels.notSetUpService}</p>
      <Preformatted text="TURNOUT_BACKUP_DIR=/var/backups/turnout" />
      <p>{labels.notSetUpThen}</p>
    </section>
  )
}

interface BackupsProps {
  accountId: string
  voice: Voice
  backups: BackupState
  /** The size of the database, in bytes. */
  size: number
}

/** Shows the backups that exist, and how the next ones are made. */
export function Backups({ backups, size, accountId, voice }: BackupsProps) {
  const { texts, format } = voice
  const { system: labels } = texts
  const { plan, made, underWay, last } = backups
  const rows = made?.map(each => ({ ...each, path: paths.downloadBackup(accountId, each.name) }))
  return (
    <section class="stack" aria-labelledby="backups">
      <div class="card stack">
        <h2 id="backups">{labels.backups}</h2>
        <Facts
          facts={[
            [labels.folder, <bdi key="folder">{plan.folder}</bdi>],
            [labels.schedule, <Schedule key="every" cron={plan.every} voice={voice} />],
            [labels.next, <Time key="next" at={plan.next} format={format} />],
            [labels.keeps, labels.keepsOf(format.number(plan.keep))],
          ]}
        />
        {underWay === undefined ? (
          <>
            {last !== undefined && <BackupResult last={last} voice={voice} />}
            <div class="row">
              <PostButton action={paths.backUp(accountId)} tone="main">
                {labels.backUpNow}
              </PostButton>
              <PostButton action={paths.backUpToPassOn(accountId)}>{labels.backUpToPassOn}</PostButton>
            </div>
          </>
        ) : (
          <div>
            <p>
              {labels.backingUp} {labels.copied(format.bytes(underWay.copied), format.bytes(size))}
            </p>
            <Progress label={labels.backingUp} done={underWay.copied} total={size} />
          </div>
        )}
        <p class="help">{labels.secrets}</p>
        <p class="help">{labels.withoutSecrets}</p>
      </div>
      {rows === undefined && (
        <Banner tone="bad">
          <p>{labels.unreadable}</p>
        </Banner>
      )}
      {rows?.length === 0 && <p class="quiet">{labels.none}</p>}
      {rows !== undefined && rows.length > 0 && <Table list={list} rows={rows} voice={voice} />}
    </section>
  )
}

function BackupResult({ last, voice }: { last: NonNullable<BackupState['last']>; voice: Voice }) {
  const { texts, format } = voice
  const at = format.dateTime(last.at)
  if ('size' in last) return <p>{texts.system.lastDone(at, format.bytes(last.size))}</p>
  return (
    <Banner tone="bad">
      <p>{texts.system.lastFailed(at)}</p>
      <p lang="en">
        <bdi>{last.reason}</bdi>
      </p>
    </Banner>
  )
}

/**
 * Says in words when a cron line of one time a day is due. It names the time zone of the server, which the line goes by, where the
 * page has another. Other lines stay as the operator wrote them.
 */
function Schedule({ cron, voice: { texts, format } }: { cron: string; voice: Voice }) {
  const [, minute, hour] = /^(\d{1,2}) (\d{1,2}) \* \* \*$/.exec(cron.trim()) ?? []
  if (minute === undefined || hour === undefined) return <code>{cron}</code>
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  return <>{texts.system.daily(timeZone === format.timezone ? time : `${time} (${timeZone})`)}</>
}
