import { Banner, Facts, PostButton, Preformatted, Progress, Time } from '../web/components/parts.tsx'
import { type List, Table } from '../web/lists/list.tsx'
import type { Voice } from '../web/voice.ts'
import { paths } from './paths.ts'
import type { BackupState } from './system-service.ts'

interface Row {
  name: string
  path: string
  at: number
  size: number
  byHand: boolean
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
      cell: ({ byHand }, { texts }) => (byHand ? texts.system.byHand : texts.system.bySchedule),
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

/** How to have backups. */
export function NoBackups({ voice: { texts } }: { voice: Voice }) {
  const { system: said } = texts
  return (
    <section class="card stack" aria-labelledby="backups">
      <h2 id="backups">{said.backups}</h2>
      <Banner tone="warn">
        <p>{said.notSetUp}</p>
      </Banner>
      <p>{said.notSetUpHow}</p>
      <Preformatted text="turnout serve --backup-dir /var/backups/turnout" />
      <p>{said.notSetUpService}</p>
      <Preformatted text="TURNOUT_BACKUP_DIR=/var/backups/turnout" />
      <p>{said.notSetUpThen}</p>
    </section>
  )
}

interface BackupsProps {
  accountId: string
  voice: Voice
  backups: BackupState
  /** The size of the database, in bytes. */
  whole: number
}

/** Those that there are, and how the next ones come. */
export function Backups({ backups, whole, accountId, voice }: BackupsProps) {
  const { texts, format } = voice
  const { system: said } = texts
  const { plan, made, underWay, last } = backups
  const rows = made?.map(each => ({ ...each, path: paths.downloadBackup(accountId, each.name) }))
  return (
    <section class="stack" aria-labelledby="backups">
      <div class="card stack">
        <h2 id="backups">{said.backups}</h2>
        <Facts
          facts={[
            [said.folder, <bdi key="folder">{plan.folder}</bdi>],
            [said.schedule, <code key="every">{plan.every}</code>],
            [said.next, <Time key="next" at={plan.next} format={format} />],
            [said.keeps, said.keepsOf(format.number(plan.keep))],
          ]}
        />
        {underWay === undefined ? (
          <>
            {last !== undefined && <BackupResult last={last} voice={voice} />}
            <PostButton action={paths.backUp(accountId)} tone="main">
              {said.backUpNow}
            </PostButton>
          </>
        ) : (
          <div>
            <p>
              {said.backingUp} {said.copied(format.bytes(underWay.copied), format.bytes(whole))}
            </p>
            <Progress label={said.backingUp} done={underWay.copied} total={whole} />
          </div>
        )}
        <p class="help">{said.secrets}</p>
      </div>
      {rows === undefined && (
        <Banner tone="bad">
          <p>{said.unreadable}</p>
        </Banner>
      )}
      {rows?.length === 0 && <p class="quiet">{said.none}</p>}
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
