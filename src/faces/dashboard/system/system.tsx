import { recordedWrite } from '../../access-log/recorded-write.ts'
import { streamOf } from '../../http/sending.ts'
import type { ClockWarning } from '../../ops/clock-watch.ts'
import { Problem } from '../../problem.ts'
import { SECOND } from '../../time.ts'
import { Banner, Facts, Head, Live, PostButton, Progress, Time } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import type { Voice } from '../../web/voice.ts'
import { actorOf, type OfAccount, type Services } from '../asked.ts'
import { goTo } from '../destination.ts'
import type { Page, PageAt } from '../page.ts'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'
import { Backups, NoBackups } from '../system-backups.tsx'
import type { CheckState, SystemState } from '../system-service.ts'
import { isMoving, lookAtMail, type MailLook, MailPart } from './system-mail.tsx'

/** How often what is under way is looked at again, in seconds. */
const EVERY = 2
const PATH = '/a/{account}/system'

interface Loaded {
  state: SystemState
  mail: MailLook
  now: number
}

export const systemPage = showPage('account', {
  path: PATH,
  isOfInstance: true,
  navigation: { icon: 'disk', text: texts => texts.navigation.system },
  prepare: async (services, asked): Promise<Loaded> => ({
    state: await services.system.look(),
    mail: await lookAtMail(services, asked),
    now: services.clock(),
  }),
  view: ({ state, mail, now }, asked) => {
    const { account, voice } = asked
    const { system: texts } = voice.texts
    const { backups, check } = state
    const isBusy = backups?.underWay !== undefined || check.since !== undefined || isMoving(mail)
    return {
      title: texts.title,
      refresh: isBusy ? EVERY : undefined,
      body: (
        <div class="stack">
          <Head title={texts.title} />
          {state.clock.map(warning => (
            <Banner key={warning.code} tone="bad">
              <p>{tellClock(warning, voice)}</p>
            </Banner>
          ))}
          <Live id="system" every={isBusy ? EVERY : undefined}>
            <div class="two even">
              <Program state={state} now={now} voice={voice} />
              <Check check={check} accountId={account.id} voice={voice} />
            </div>
            <MailPart look={mail} asked={asked} />
            {backups === undefined ? (
              <NoBackups voice={voice} />
            ) : (
              <Backups backups={backups} whole={state.database.data} accountId={account.id} voice={voice} />
            )}
          </Live>
        </div>
      ),
    }
  },
})

function tellClock(warning: ClockWarning, { texts, format }: Voice): string {
  if (warning.code === 'clock_behind') {
    const { clock, newest } = warning
    return texts.system.clockBehind(format.dateTime(clock), format.dateTime(newest))
  }
  return texts.system.clockJumped(format.dateTime(warning.from), format.dateTime(warning.to))
}

function Program({ state, now, voice }: Omit<Loaded, 'mail'> & { voice: Voice }) {
  const { texts, format } = voice
  const { version, node, engine, startedAt, database, disk, certificateEnds } = state
  const { system: said } = texts
  return (
    <section class="card" aria-labelledby="program">
      <h2 id="program">{said.program}</h2>
      <Facts
        facts={[
          [said.version, version],
          [said.runsOn, `Node.js ${node.replace('v', '')}, ${engine}`],
          [
            said.running,
            said.runningSince(format.duration(Math.max(0, now - startedAt)), format.dateTime(startedAt)),
          ],
          [said.database, format.bytes(database.data)],
          [said.log, `${format.bytes(database.log)}: ${said.logAbout}`],
          [said.disk, said.free(format.bytes(disk.free), format.bytes(disk.total))],
          [
            said.certificate,
            certificateEnds === undefined ? (
              said.noCertificate
            ) : (
              <Time key="ends" at={certificateEnds} format={format} />
            ),
          ],
        ]}
      />
    </section>
  )
}

interface PartProps {
  accountId: string
  voice: Voice
}

function Check({ check: { since, last }, accountId, voice }: PartProps & { check: CheckState }) {
  const { texts, format } = voice
  const { system: said } = texts
  return (
    <section class="card stack" aria-labelledby="check">
      <h2 id="check">{said.check}</h2>
      <p>{said.checkAbout}</p>
      {since !== undefined && (
        <div>
          <p>{said.checking(format.dateTime(since))}</p>
          <Progress label={said.check} done={0} total={null} />
        </div>
      )}
      {since === undefined && last !== undefined && <CheckResult last={last} voice={voice} />}
      {since === undefined && <PostButton action={paths.checkDatabase(accountId)}>{said.check}</PostButton>}
    </section>
  )
}

/** What the program itself says is in English, as its command line is. */
function CheckResult({ last, voice }: { last: NonNullable<CheckState['last']>; voice: Voice }) {
  const { texts, format } = voice
  const { system: said } = texts
  const at = format.dateTime(last.at)
  if ('reason' in last) {
    return (
      <Banner tone="bad">
        <p>{said.checkFailed(at)}</p>
        <p lang="en">
          <bdi>{last.reason}</bdi>
        </p>
      </Banner>
    )
  }
  if (last.faults.length === 0) {
    return (
      <Banner tone="good">
        <p>{said.checkedWhole(at, format.duration(Math.max(SECOND, last.took)))}</p>
      </Banner>
    )
  }
  return (
    <Banner tone="bad">
      <p>{said.checkedFaults(at)}</p>
      <ul lang="en">
        {last.faults.map(fault => (
          <li key={fault}>
            <bdi>{fault}</bdi>
          </li>
        ))}
      </ul>
    </Banner>
  )
}

/** What an operator does is of no account: it is recorded in that which they look at. */
function record(services: Services, asked: OfAccount, action: string, targetId?: string): Promise<void> {
  const entry = { action, targetType: 'instance', targetId }
  return recordedWrite(services.db, actorOf(asked), async () => undefined, entry)
}

/** Begins something that goes on beside the requests. */
function beginner(
  path: string,
  action: string,
  told: 'systemBackup' | 'systemCheck',
  begin: (services: Services) => boolean,
): Page {
  const back = ({ account }: OfAccount) => paths.system(account.id)
  return {
    level: 'account',
    path: PATH + path,
    isOfInstance: true,
    post: async (services, context, asked) => {
      const begun = begin(services)
      if (begun) await record(services, asked, action)
      const tone = begun ? 'good' : 'warn'
      goTo(services, context, { path: back(asked), flash: flash(begun ? told : 'systemBusy', {}, { tone }) })
    },
  } satisfies PageAt<'account'>
}

export const backUpNow = beginner('/backups/new', 'system.backup', 'systemBackup', ({ system }) =>
  system.backUp(),
)

export const checkDatabase = beginner('/check', 'system.check', 'systemCheck', ({ system }) => system.check())

export const downloadBackup: Page = {
  level: 'account',
  path: `${PATH}/backups/{backup}`,
  isOfInstance: true,
  post: async (services, context, asked) => {
    const { backup: name = '' } = asked.params
    const opened = await services.system.openBackup(name)
    if (opened === undefined) throw new Problem('not_found')
    // However it ends, and whether or not any of it was read.
    context.res.once('close', () => void opened.close().catch(() => undefined))
    await record(services, asked, 'system.backup_download', name)
    context.type = 'application/vnd.sqlite3'
    context.attachment(name)
    context.length = opened.size
    context.body = streamOf(context.res, opened.chunks, error =>
      services.log.error({ err: error, request_id: asked.requestId }, 'a backup could not be sent'),
    )
  },
}
