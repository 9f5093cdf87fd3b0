import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { Banner, ButtonLink } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import { may } from '#product/administration/users/roles.ts'
import { missingTypes } from '#product/guests/imports/moving.ts'
import type * as imports from '#product/guests/imports/rules.ts'
import type { Counts, ImportLine } from '#product/guests/imports/schemas.ts'
import { systemNames } from '#product/guests/imports/systems.ts'

/** Returns whether the lines of an upload are guests and extras, which are counted apart from them. */
export function hasExtras({ outcome }: Job): boolean {
  return Number((outcome as Partial<Counts> | null)?.extras ?? 0) > 0
}

interface NextProps {
  upload: imports.Upload
  result: { counts: Readonly<Record<ImportLine['fate'], number>>; hasOffSale: boolean }
  request: EventRequest
}

/** Says what can be done with an upload, the likeliest first. Guests of another shop are sent tickets, as its codes are not ours. */
export function NextSteps({ upload, result, request: { event, member, voice } }: NextProps) {
  const { imports: texts, sending } = voice.texts
  const { job, input, imported, left } = upload
  const { counts, hasOffSale } = result
  const missing = missingTypes(upload)
  const outcome = (job.outcome ?? {}) as Partial<Counts>
  const maySend = counts.added > 0 && may(member.role, 'messages')
  const isMoved = maySend && input.system !== undefined && missing.length === 0
  return (
    <>
      {missing.length > 0 && (
        <Banner tone="warn">
          {texts.typesMissing(missing.length)} {outcome.more_missing && texts.typesMore}
        </Banner>
      )}
      {counts.added > 0 && input.system !== undefined && (
        <Banner tone="warn">{texts.codesElsewhere(systemNames[input.system])}</Banner>
      )}
      {imported?.state === 'done' && input.system !== undefined && hasOffSale && (
        <p>
          {texts.typesOffSale} <a href={paths.tickets(event.id)}>{texts.toTypes}</a>
        </p>
      )}
      <div class="row">
        {missing.length > 0 && (
          <ButtonLink href={paths.guestImport(event.id, job.id, 'types')} main={left === 0}>
            {texts.makeTypes}
          </ButtonLink>
        )}
        {job.state === 'done' && left > 0 && (
          <ButtonLink href={paths.guestImport(event.id, job.id, 'start')} main>
            {(hasExtras(job) ? texts.importLines : texts.importN)(left)}
          </ButtonLink>
        )}
        {imported !== undefined && (
          <ButtonLink href={paths.guests(event.id)} main={left === 0 && missing.length === 0 && !isMoved}>
            {texts.toGuests}
          </ButtonLink>
        )}
        {maySend && (
          <ButtonLink
            href={withQuery(paths.sendTickets(event.id), { import: job.id })}
            main={left === 0 && isMoved}
          >
            {sending.sendImported}
          </ButtonLink>
        )}
        <ButtonLink href={paths.guestImport(event.id, job.id, 'columns')}>{texts.changeColumns}</ButtonLink>
        {counts.wrong + counts.sold_out > 0 && (
          <ButtonLink href={paths.guestImport(event.id, job.id, 'left-out')}>{texts.download}</ButtonLink>
        )}
        <ButtonLink href={paths.importGuests(event.id)}>{texts.another}</ButtonLink>
      </div>
    </>
  )
}
