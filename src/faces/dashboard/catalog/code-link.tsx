import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { Copyable } from '#machinery/web/components/copyable.tsx'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import { isPrivate } from '#product/catalog/events/states.ts'

/** This many codes are searched for one that works. */
const LOOKED = 50

/** Returns the address to which a code leads its owner. @returns undefined while the event has no page */
export async function readCodeLink(
  tx: ReadTx,
  { event }: EventRequest,
  { baseUrl }: Pick<Services, 'baseUrl'>,
  code: string,
): Promise<string | undefined> {
  const { slug } = await accounts.getDetails(tx)
  if (slug === null || event.status === 'draft') return undefined
  return (
    baseUrl + (isPrivate(event.visibility) ? paths.privatePage : paths.codeOffers)(slug, event.slug, code)
  )
}

export function CodeLink({
  link,
  request: { event, voice },
}: {
  link: string | undefined
  request: EventRequest
}) {
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

/** How visitors get to a private event. It is undefined for an event that everybody with its address sees. */
export interface PrivateWay {
  /** The link carries the newest code that works. */
  link: string | undefined
}

export async function readPrivateWay(
  tx: ReadTx,
  request: EventRequest,
  services: Pick<Services, 'baseUrl' | 'clock'>,
): Promise<PrivateWay | undefined> {
  const { event } = request
  if (!isPrivate(event.visibility)) return undefined
  const some = [...(await codes.list(tx, event.id, { limit: LOOKED }))]
  const code = some.find(({ resource }) => codes.stateOf(resource, services.clock()) === 'on')
  return { link: code && (await readCodeLink(tx, request, services, code.resource.code)) }
}

export function PrivateNotice({
  way,
  request: { event, voice },
}: {
  way: PrivateWay
  request: EventRequest
}) {
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
