import type { ComponentChildren } from 'preact'
import { findHold } from '../db/instance.ts'
import type { Database, ReadTx } from '../db/port.ts'
import * as emails from '../emails/rules.ts'
import type { InstanceNeeds } from '../ops/instance-needs.ts'
import { type Clock, DAY } from '../time.ts'
import { ButtonLink } from '../web/components/parts.tsx'
import { type EndpointNeed, listNeeds, MOST_FAILED } from '../webhooks/needs.ts'
import type { OfAccount } from './asked.ts'
import type { MailService } from './mail-service.ts'
import { isSeen } from './navigation.ts'
import { paths } from './paths.ts'
import { OF_WEBHOOKS } from './webhook-parts.tsx'

/** Whoever may change how the organization appears sees whom its mails did not reach. */
const OF_MAILS = { permission: 'account', isOfAllEvents: true } as const

/** An account has so long to think of its backups. */
const BACKUPS_BY = 3 * DAY

/** Of mails that failed, those that were made so long ago are of interest, in milliseconds. */
const FAILED_WITHIN = 7 * DAY
/** Mails that are counted one by one. */
const MOST_MAILS = 1000

/** What asks for somebody: of webhooks for those who may see them, of the instance for whoever runs it. */
export interface Needs {
  /** Mails of the last days that reached nobody. */
  failedMails: number
  mail: MailNeeds | undefined
  endpoints: readonly EndpointNeed[]
  instance: InstanceNeeds | undefined
  now: number
}

/** Of all mail, for whoever runs the instance. In milliseconds, since when. */
interface MailNeeds {
  held: number | null
  trouble: number | undefined
  isWaiting: boolean
}

interface Sources {
  mail: MailService
  db: Pick<Database, 'read'>
  clock: Clock
  instanceWatch: { needs(): Promise<InstanceNeeds> }
}

export async function findNeeds(sources: Sources, asked: OfAccount): Promise<Needs> {
  const { db, clock, instanceWatch } = sources
  const { account, user } = asked
  const now = clock()
  const found = await db.read(async tx => ({
    endpoints: isSeen(OF_WEBHOOKS, asked) ? await listNeeds(tx, account.id, now) : [],
    failedMails: isSeen(OF_MAILS, asked)
      ? await emails.countFailed(tx, account.id, now - FAILED_WITHIN, MOST_MAILS)
      : 0,
    mail: user.operator ? await findMailNeeds(tx, sources) : undefined,
  }))
  return { ...found, instance: user.operator ? await instanceWatch.needs() : undefined, now }
}

async function findMailNeeds(tx: ReadTx, { mail }: Sources): Promise<MailNeeds> {
  const isWaiting = !mail.isSetUp && (await emails.countWaiting(tx, 1)) > 0
  return { held: await findHold(tx), trouble: mail.state()?.trouble?.since, isWaiting }
}

interface Item {
  key: string
  text: ComponentChildren
  about: string
  href?: string
}

/** Nothing, where nobody is needed. */
export function NeedsYou({ needs, asked }: { needs: Needs; asked: OfAccount }) {
  const { needs: texts } = asked.voice.texts
  const items = [...mailItems(needs, asked), ...endpointItems(needs, asked), ...instanceItems(needs, asked)]
  if (items.length === 0) return null
  return (
    <section class="card" aria-labelledby="needs">
      <h2 id="needs">{texts.title}</h2>
      <ul class="todo">
        {items.map(({ key, text, about, href }) => (
          <li key={key}>
            <span>
              <b>
                <bdi>{text}</bdi>
              </b>
              <br />
              <span class="small quiet">{about}</span>
            </span>
            {href !== undefined && <ButtonLink href={href}>{texts.look}</ButtonLink>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function mailItems({ failedMails: failed, mail }: Needs, { account, voice }: OfAccount): Item[] {
  const { needs: texts } = voice.texts
  const { format } = voice
  const items: Item[] = []
  const href = paths.system(account.id)
  if (mail !== undefined) {
    const { held, trouble, isWaiting } = mail
    if (held !== null) {
      items.push({
        key: 'held',
        text: texts.mailHeld(format.dateTime(held)),
        about: texts.mailHeldAbout,
        href,
      })
    }
    if (trouble !== undefined) {
      const text = texts.mailTrouble(format.dateTime(trouble))
      items.push({ key: 'trouble', text, about: texts.mailTroubleAbout, href })
    }
    if (isWaiting) items.push({ key: 'waits', text: texts.mailWaits, about: texts.mailWaitsAbout, href })
  }
  if (failed > 0) {
    const text = failed < MOST_MAILS ? texts.mailFailed(failed) : texts.mailFailedOrMore(failed)
    items.push({ key: 'mails', text, about: texts.mailFailedAbout })
  }
  return items
}

function endpointItems({ endpoints }: Needs, { account, voice }: OfAccount): Item[] {
  const { needs: texts } = voice.texts
  const href = paths.webhooks(account.id)
  return endpoints.flatMap(({ id, url, failing_since: since, failed }) => {
    const { host } = new URL(url)
    const items: Item[] = []
    if (since !== null) {
      const about = texts.failingAbout(voice.format.dateTime(since))
      items.push({ key: `${id} fails`, text: texts.failing(host), about, href })
    }
    if (failed > 0) {
      const text = failed < MOST_FAILED ? texts.failed(failed, host) : texts.failedOrMore(failed, host)
      items.push({ key: `${id} failed`, text, about: texts.failedAbout, href })
    }
    return items
  })
}

function instanceItems({ instance, now }: Needs, { account, voice }: OfAccount): Item[] {
  if (instance === undefined) return []
  const { needs: texts } = voice.texts
  const { format } = voice
  const { backup, isWithoutBackups, certificateEnds: ends, disk } = instance
  const items: Omit<Item, 'href'>[] = []
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
