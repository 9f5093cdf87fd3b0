import * as accounts from '../accounts/rules.ts'
import * as codes from '../codes/rules.ts'
import type { ReadTx } from '../db/port.ts'
import { isPrivate } from '../events/states.ts'
import { Copyable } from '../web/components/copyable.tsx'
import { ButtonLink } from '../web/components/parts.tsx'
import type { OfEvent, Services } from './asked.ts'
import { paths } from './paths.ts'

/** Codes that are looked through for one that works. */
const LOOKED = 50

/** Where a code leads whoever has it. @returns undefined while the event has no page */
export async function readCodeLink(
  tx: ReadTx,
  { account, event }: OfEvent,
  { baseUrl }: Pick<Services, 'baseUrl'>,
  code: string,
): Promise<string | undefined> {
  const { slug } = await accounts.getDetails(tx, account.id)
  if (slug === null || event.status === 'draft') return undefined
  return (
    baseUrl + (isPrivate(event.visibility) ? paths.privatePage : paths.codeOffers)(slug, event.slug, code)
  )
}

export function CodeLink({ link, asked: { event, voice } }: { link: string | undefined; asked: OfEvent }) {
  const { codes: texts } = voice.texts
  if (link === undefined) return null
  return (
    <section class="card stack" aria-labelledby="link">
      <h2 id="link">{texts.link}</h2>
      <p class="quiet">{isPrivate(event.visibility) ? texts.privateLinkAbout : texts.linkAbout}</p>
      <Copyable label={texts.link} text={link} texts={voice.texts} />
    </section>
  )
}

/** How visitors get to a private event. Undefined for one that everybody sees who has its address. */
export interface PrivateWay {
  /** With the newest code that works. */
  link: string | undefined
}

export async function readPrivateWay(
  tx: ReadTx,
  asked: OfEvent,
  services: Pick<Services, 'baseUrl' | 'clock'>,
): Promise<PrivateWay | undefined> {
  const { account, event } = asked
  if (!isPrivate(event.visibility)) return undefined
  const some = [...(await codes.list(tx, account.id, event.id, { limit: LOOKED }))]
  const code = some.find(({ resource }) => codes.stateOf(resource, services.clock()) === 'on')
  return { link: code && (await readCodeLink(tx, asked, services, code.resource.code)) }
}

export function PrivateNotice({ way, asked: { event, voice } }: { way: PrivateWay; asked: OfEvent }) {
  const { codes: texts } = voice.texts
  return (
    <section class="card stack" aria-labelledby="private">
      <h2 id="private">{texts.isPrivate}</h2>
      <p class="quiet">{texts.isPrivateAbout}</p>
      {way.link !== undefined && <Copyable label={texts.privateLink} text={way.link} texts={voice.texts} />}
      <div class="row">
        <ButtonLink href={paths.codes(event.id)}>{texts.title}</ButtonLink>
      </div>
    </section>
  )
}
