import { erasePerson, findPerson, type PersonFound } from '../../erasure/erase.ts'
import { Problem } from '../../problem.ts'
import { Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { withQuery } from '../../web/link.ts'
import type { Texts } from '../../web/texts/texts.ts'
import { actorOf, type OfEvent, type Services } from '../asked.ts'
import { ownForm } from '../own-form.ts'
import { paths } from '../paths.ts'
import { readGuest } from './guest.tsx'

interface Loaded {
  id: string
  /** Of whom nobody is to know any more. */
  person: { name: string; email: string }
  found: PersonFound
}

/** Asks whether to make the buyer anonymous, or the person of the ticket that the address names. */
export const eraseGuest = ownForm('event', {
  path: '/e/{event}/guests/{registration}/erase',
  permission: 'erase',
  load,
  fields: () => ({}),
  seen: ({ person, found }) => [person.email, ...Object.values(found)].join(' '),
  view: ({ id, person, found }, asked, state) => {
    const { event, account, voice, query } = asked
    const { texts } = voice
    const title = texts.guests.eraseTitle(person.name)
    const back = paths.guest(event.id, id)
    const action = withQuery(paths.eraseGuest(event.id, id), { ticket: query.get('ticket') ?? undefined })
    return {
      title,
      body: (
        <>
          <Head title={<bdi>{title}</bdi>} crumbs={<a href={back}>{texts.guests.registration}</a>} />
          <div class="card">
            <Form
              state={state}
              texts={texts}
              action={action}
              submit={texts.guests.eraseSubmit}
              leave={back}
              isDanger
            >
              <p>
                <bdi>{texts.guests.eraseAbout(person.email, account.name)}</bdi>
              </p>
              <ul class="will">
                {sentencesOf(found, texts).map(sentence => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
            </Form>
          </div>
        </>
      ),
    }
  },
  submit: async ({ db }, _context, asked, { loaded: { id, person } }) => {
    await erasePerson(db, actorOf(asked), person.email)
    return { to: { path: paths.guest(asked.event.id, id), flash: flash('personErased', {}) } }
  },
})

/** @throws Problem not_found; registration_erased */
async function load({ db }: Services, asked: OfEvent): Promise<Loaded> {
  const guest = await db.read(tx => readGuest(tx, asked))
  const ticketId = asked.query.get('ticket')
  const person = ticketId === null ? guest.buyer : guest.attendees.find(({ id }) => id === ticketId)
  if (person === undefined || person.email === null) throw new Problem('not_found')
  if (ticketId === null && guest.erased_at !== null) throw new Problem('registration_erased')
  const { name, email } = person
  return {
    id: guest.id,
    person: { name: name ?? email, email },
    found: await findPerson(db, asked.account.id, email),
  }
}

function sentencesOf(found: PersonFound, { guests }: Texts): string[] {
  return [
    guests.eraseBought(found.registrations),
    ...(found.tickets > 0 ? [guests.eraseTickets(found.tickets)] : []),
    ...(found.tickets_of_others > 0 ? [guests.eraseOthers(found.tickets_of_others)] : []),
    ...(found.waitlist_entries > 0 ? [guests.eraseWaiting(found.waitlist_entries)] : []),
    ...(found.abstracts > 0 ? [guests.eraseAbstracts(found.abstracts)] : []),
    guests.eraseKeeps,
  ]
}
