import type { ComponentChildren } from 'preact'
import type { Database } from '../db/port.ts'
import type { InstanceNeeds } from '../ops/instance-needs.ts'
import { type Clock, DAY } from '../time.ts'
import { ButtonLink } from '../web/components/parts.tsx'
import { type EndpointNeed, listNeeds, MOST_FAILED } from '../webhooks/needs.ts'
import type { OfAccount } from './asked.ts'
import { isSeen } from './navigation.ts'
import { paths } from './paths.ts'
import { OF_WEBHOOKS } from './webhook-parts.tsx'

/** An account has so long to think of its backups. */
const BACKUPS_BY = 3 * DAY

/** What asks for somebody: of webhooks for those who may see them, of the instance for whoever runs it. */
export interface Needs {
  endpoints: readonly EndpointNeed[]
  instance: InstanceNeeds | undefined
  now: number
}

interface Sources {
  db: Pick<Database, 'read'>
  clock: Clock
  instanceWatch: { needs(): Promise<InstanceNeeds> }
}

export async function findNeeds({ db, clock, instanceWatch }: Sources, asked: OfAccount): Promise<Needs> {
  const { account, user } = asked
  const now = clock()
  const endpoints = isSeen(OF_WEBHOOKS, asked) ? await db.read(tx => listNeeds(tx, account.id, now)) : []
  return { endpoints, instance: user.operator ? await instanceWatch.needs() : undefined, now }
}

interface Item {
  key: string
  text: ComponentChildren
  about: string
  href: string
}

/** Nothing, where nobody is needed. */
export function NeedsYou({ needs, asked }: { needs: Needs; asked: OfAccount }) {
  const { needs: texts } = asked.voice.texts
  const items = [...endpointItems(needs, asked), ...instanceItems(needs, asked)]
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
            <ButtonLink href={href}>{texts.look}</ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  )
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
