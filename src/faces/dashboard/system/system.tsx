import { Problem } from '#base/problem.ts'
import { SECOND } from '#base/time.ts'
import { goTo } from '#faces/dashboard/frame/destination.ts'
import type { Page, PageAt } from '#faces/dashboard/frame/page.ts'
import { type AccountRequest, actorOf, type Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { streamOf } from '#machinery/http/sending.ts'
import type { ClockWarning } from '#machinery/ops/clock-watch.ts'
import { Banner, Facts, Head, Live, PostButton, Progress, Time } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { HealthCheck } from './health-check.tsx'
import { Backups, NoBackups } from './system-backups.tsx'
import { isMoving, lookAtMail, type MailLook, MailPart } from './system-mail.tsx'
import type { CheckState, SystemState } from './system-service.ts'

/** The page looks again this often at what is under way, in seconds. */
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
  prepare: async (services, request): Promise<Loaded> => ({
    state: await services.system.look(),
    mail: await lookAtMail(services, request),
    now: services.clock(),
  }),
  view: ({ state, mail, now }, request) => {
    const { account, voice } = request
    const { system: texts } = voice.texts
    const { backups, check, health } = state
    const isBusy =
      [backups?.underWay, check.since, health.since].some(each => each !== undefined) || isMoving(mail)
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
            <HealthCheck health={health} accountId={account.id} voice={voice} />
            <MailPart look={mail} request={request} />
            {backups === undefined ? (
              <NoBackups voice={voice} />
            ) : (
              <Backups backups={backups} size={state.database.data} accountId={account.id} voice={voice} />
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
  const { system: labels } = texts
  return (
    <section class="card" aria-labelledby="program">
      <h2 id="program">{labels.program}</h2>
      <Facts
        facts={[
          [labels.version, version],
          [labels.runsOn, `Node.js ${node.replace('v', '')}, ${engine}`],
          [
            labels.running,
            labels.runningSince(format.duration(Math.max(0, now - startedAt)), format.dateTime(startedAt)),
          ],
          [labels.database, format.bytes(database.data)],
          [labels.log, format.bytes(database.log)],
          [labels.disk, labels.free(format.bytes(disk.free), format.bytes(disk.total))],
          [
            labels.certificate,
            certificateEnds === undefined ? (
              labels.noCertificate
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
  const { system: labels } = texts
  return (
    <section class="card stack" aria-labelledby="check">
      <h2 id="check">{labels.check}</h2>
      <p>{labels.checkAbout}</p>
      {since !== undefined && (
        <div>
          <p>{labels.checking(format.dateTime(since))}</p>
          <Progress label={labels.check} done={0} total={null} />
        </div>
      )}
      {since === undefined && last !== undefined && <CheckResult last={last} voice={voice} />}
      {since === undefined && <PostButton action={paths.checkDatabase(accountId)}>{labels.check}</PostButton>}
    </section>
  )
}

/** The program itself speaks English, as its command line does. */
function CheckResult({ last, voice }: { last: NonNullable<CheckState['last']>; voice: Voice }) {
  const { texts, format } = voice
  const { system: labels } = texts
  const at = format.dateTime(last.at)
  if ('reason' in last) {
    return (
      <Banner tone="bad">
        <p>{labels.checkFailed(at)}</p>
        <p lang="en">
          <bdi>{last.reason}</bdi>
        </p>
      </Banner>
    )
  }
  if (last.faults.length === 0) {
    return (
      <Banner tone="good">
        <p>{labels.checkedAll(at, format.duration(Math.max(SECOND, last.took)))}</p>
      </Banner>
    )
  }
  return (
    <Banner tone="bad">
      <p>{labels.checkedFaults(at)}</p>
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

/** Records what an operator does in the account that they look at, since it belongs to no account. */
function record(
  services: Services,
  request: AccountRequest,
  action: string,
  targetId?: string,
): Promise<void> {
  const entry = { action, targetType: 'instance', targetId }
  return recordedWrite(services.db, actorOf(request), async () => undefined, entry)
}

/** Declares a button that begins work in the background. */
function beginner(
  path: string,
  action: string,
  flashKey: 'systemBackup' | 'systemCheck' | 'systemHealth',
  begin: (services: Services) => boolean,
): Page {
  const back = ({ account }: AccountRequest) => paths.system(account.id)
  return {
    level: 'account',
    path: PATH + path,
    isOfInstance: true,
    post: async (services, context, request) => {
      const begun = begin(services)
      if (begun) await record(services, request, action)
      const tone = begun ? 'good' : 'warn'
      goTo(services, context, {
        path: back(request),
        flash: flash(begun ? flashKey : 'systemBusy', {}, { tone }),
      })
    },
  } satisfies PageAt<'account'>
}

export const backUpNow = beginner('/backups/new', 'system.backup', 'systemBackup', ({ system }) =>
  system.backUp(false),
)

export const backUpToPassOn = beginner(
  '/backups/without-secrets',
  'system.backup_to_pass_on',
  'systemBackup',
  ({ system }) => system.backUp(true),
)

export const examineInstance = beginner('/health', 'system.health', 'systemHealth', ({ system }) =>
  system.examine(),
)

export const checkDatabase = beginner('/check', 'system.check', 'systemCheck', ({ system }) => system.check())

export const downloadBackup: Page = {
  level: 'account',
  path: `${PATH}/backups/{backup}`,
  isOfInstance: true,
  post: async (services, context, request) => {
    const { backup: name = '' } = request.params
    const opened = await services.system.openBackup(name)
    if (opened === undefined) throw new Problem('not_found')
    // The backup is closed however the answer ends, and whether or not any of it was read.
    context.res.once('close', () => void opened.close().catch(() => undefined))
    await record(services, request, 'system.backup_download', name)
    context.type = 'application/vnd.sqlite3'
    context.attachment(name)
    context.length = opened.size
    context.body = streamOf(context.res, opened.chunks, error =>
      services.log.error({ err: error, request_id: request.requestId }, 'a backup could not be sent'),
    )
  },
}
