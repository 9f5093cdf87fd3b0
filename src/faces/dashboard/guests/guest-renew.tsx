import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { question } from '#faces/dashboard/frame/form-parts.tsx'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { NamedLink } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { renewLinks } from '#product/guests/registrations/ticket-links.ts'
import { readGuest } from './guest.tsx'

/** Asks whether to renew the links to the tickets of a registration. Those of an ordered one are renewed with its order. */
export const renewGuestLinks = formPage('event', {
  path: '/e/{event}/guests/{registration}/renew',
  permission: 'guests.edit',
  load: async (tx, request) => {
    const guest = await readGuest(tx, request)
    if (guest.order_id !== null) throw new Problem('not_found')
    return guest
  },
  fields: () => ({}),
  preview: ({ secret_version }) => String(secret_version),
  parts: ({ id, buyer }, { event, voice: { texts } }) => {
    const { sending } = texts
    const leave = paths.guest(event.id, id)
    return question({
      title: sending.renewTitle(buyer.name),
      crumbs: <NamedLink href={leave} name={buyer.name} />,
      ...{ leave, submit: sending.renewSubmit, will: [sending.renewWill, sending.renewAfter] },
      ...{ isDanger: true, keeps: 'links' },
    })
  },
  act: (tx, _, { loaded }) => renewLinks(tx, loaded.id),
  entry: ({ params }) => ({
    action: 'registration.renew_links',
    targetType: 'registration',
    targetId: params.registration,
  }),
  next: ({ id }, { event }) => ({ path: paths.guest(event.id, id), flash: flash('linksRenewed', {}) }),
})
