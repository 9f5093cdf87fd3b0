import { readLink, whyNoLink } from '#faces/dashboard/catalog/share.tsx'
import { OnlyHereNote } from '#faces/dashboard/frame/only-here.tsx'
import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { Copyable } from '#machinery/web/components/copyable.tsx'
import { ButtonLink, Pill } from '#machinery/web/components/parts.tsx'
import * as accounts from '#product/administration/accounts/rules.ts'
import { type Phase, phaseOf } from '#product/programme/calls/deadline.ts'
import { deadlineText } from '#product/programme/calls/deadline-text.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { countBegun, MOST_BEGUN_COUNTED } from '#product/programme/submissions/figures.ts'

const tones = { before: 'warn', open: 'good', over: 'off' } as const

/** The call of an event, and where it stands. */
export interface Standing {
  call: Call
  phase: Phase
  /** How many were begun and not sent, counted no further than `MOST_BEGUN_COUNTED`. */
  begun: number
  /** The address at which authors submit. It is undefined as long as visitors have none of the event. */
  link: string | undefined
  /** Where members see the pages of authors as they will be. It is undefined once authors have them, and without an address. */
  preview: string | undefined
}

/** @returns undefined if the event has no call */
export async function readStanding(
  tx: ReadTx,
  request: EventRequest,
  services: Pick<Services, 'baseUrl' | 'clock'>,
): Promise<Standing | undefined> {
  const call = await calls.find(tx, request.event.id)
  if (call === undefined) return undefined
  const { event } = request
  const link = event.takes_abstracts ? await readLink(tx, request, services) : undefined
  const phase = phaseOf(call, services.clock())
  const { slug } = await accounts.getDetails(tx)
  const isToCome = event.takes_abstracts && (event.status === 'draft' || phase === 'before')
  return {
    ...{ call, phase },
    preview: isToCome && slug !== null ? paths.previewCall(slug, event.slug) : undefined,
    begun: await countBegun(tx, event.id),
    link: link && callAddress(link),
  }
}

/** @param link to the page of the event, which may carry a code */
function callAddress(link: string): string {
  const url = new URL(link)
  url.pathname += 'abstracts'
  return url.href
}

/** Shows where the call stands, its address, and the way to change it. */
export function CallCard({
  standing,
  received,
  request,
}: {
  standing: Standing
  /** How many abstracts there are, as a text. */
  received: string
  request: EventRequest
}) {
  const { event, voice } = request
  const { callSettings: texts } = voice.texts
  const { call, phase, begun, link, preview } = standing
  const tell = (of: Parameters<typeof deadlineText>[0]) =>
    deadlineText(of, event.timezone, voice.format.language)
  const opens = tell({ closes_at: call.opens_at, zone: null })
  const unsent = voice.texts.abstracts.counted(voice.format.number(begun), begun === MOST_BEGUN_COUNTED)
  return (
    <section class="card stack" aria-labelledby="call">
      <div class="row">
        <h2 id="call">{texts.title}</h2>
        <Pill tone={tones[phase]}>{texts.phases[phase]}</Pill>
      </div>
      <p>{texts.stands[phase]({ opens, closes: tell(call) })}</p>
      <p class="quiet">{texts.figures(received, unsent)}</p>
      {link === undefined ? (
        <p class="quiet">{event.takes_abstracts ? whyNoLink(request) : texts.switchedOff}</p>
      ) : (
        <>
          <OnlyHereNote url={link} texts={voice.texts} />
          <Copyable label={texts.address} text={link} texts={voice.texts} />
        </>
      )}
      <div class="row">
        <ToCall request={request}>{texts.change}</ToCall>
        <ButtonLink href={paths.callQuestions(event.id)}>{voice.texts.questions.title}</ButtonLink>
        {preview !== undefined && <ButtonLink href={preview}>{texts.preview}</ButtonLink>}
        {begun > 0 && (
          <ButtonLink href={paths.begunAbstracts(event.id)}>{voice.texts.submitters.begun}</ButtonLink>
        )}
      </div>
    </section>
  )
}

/** Leads to the form of the call. */
export function ToCall({ request, children }: { request: EventRequest; children: string }) {
  return <ButtonLink href={paths.call(request.event.id)}>{children}</ButtonLink>
}
