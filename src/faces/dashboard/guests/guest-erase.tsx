import { emailKey } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { ownForm } from '#faces/dashboard/frame/own-form.ts'
import { actorOf, type EventRequest, type Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { flash } from '#machinery/web/flash.ts'
import { withQuery } from '#machinery/web/link.ts'
import { erasePerson, findPerson, type PersonFound } from '#product/data-care/erasure/erase.ts'
import type { Details } from '#product/guests/registrations/details.ts'
import type { Texts } from '#texts/texts.ts'
import { readGuest } from './guest.tsx'

interface Person {
  name: string
  email: string
  /** It is undefined for the buyer. */
  ticketId: string | undefined
}

interface Loaded {
  id: string
  /** The person to make anonymous. */
  person: Person
  /** Other people of the same registration. */
  others: readonly Person[]
  found: PersonFound
}

/** Asks whether to make the buyer anonymous, or the person of the ticket that the address names. */
export const eraseGuest = ownForm('event', {
  path: '/e/{event}/guests/{registration}/erase',
  permission: 'erase',
  load,
  fields: () => ({}),
  preview: ({ person, found }) => [person.email, ...Object.values(found)].join(' '),
  parts: ({ id, person, others, found }, { event, account, voice: { texts } }) => {
    const { guests: labels } = texts
    const addressOf = ({ ticketId: ticket }: Person) => withQuery(paths.eraseGuest(event.id, id), { ticket })
    return {
      ...{ title: labels.eraseTitle(person.name), isOfPeople: true },
      ...{ crumbs: labels.registration, leave: paths.guest(event.id, id) },
      ...{ action: addressOf(person), submit: labels.eraseSubmit, isDanger: true, keeps: 'data' },
      above: (
        <p>
          <bdi>{labels.eraseAbout(person.email, account.name)}</bdi>
        </p>
      ),
      will: sentencesOf(found, texts),
      rest: others.length > 0 && (
        <section class="card" aria-labelledby="others">
          <h2 id="others">{labels.eraseOther}</h2>
          <ul>
            {others.map(other => (
              <li key={other.ticketId}>
                <a href={addressOf(other)}>
                  <bdi>{other.name}</bdi>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ),
    }
  },
  submit: async ({ db }, _context, request, { loaded: { id, person } }) => {
    await erasePerson(db, actorOf(request), person.email)
    return { to: { path: paths.guest(request.event.id, id), flash: flash('personErased', {}) } }
  },
})

/** @throws Problem not_found; registration_erased if the buyer is anonymous already */
async function load({ db }: Services, request: EventRequest): Promise<Loaded> {
  const guest = await db.read(request.account.id, tx => readGuest(tx, request))
  const people = peopleOf(guest)
  const ticketId = request.query.get('ticket')
  const person = people.find(each => each.ticketId === (ticketId ?? undefined))
  if (person === undefined) throw new Problem(ticketId === null ? 'registration_erased' : 'not_found')
  const others = people.filter(each => each !== person)
  return { id: guest.id, person, others, found: await findPerson(db, request.account.id, person.email) }
}

/** Returns the people who are not anonymous yet, each once, with the buyer first. */
function peopleOf({ buyer, attendees, erased_at }: Details): Person[] {
  const people: Person[] = erased_at === null ? [{ ...buyer, ticketId: undefined }] : []
  const listed = new Set(people.map(({ email }) => emailKey(email)))
  for (const { id, name, email } of attendees) {
    if (email === null || listed.has(emailKey(email))) continue
    listed.add(emailKey(email))
    people.push({ name: name ?? email, email, ticketId: id })
  }
  return people
}

function sentencesOf(found: PersonFound, { guests }: Texts): string[] {
  return [
    guests.eraseBought(found.registrations),
    ...(found.tickets > 0 ? [guests.eraseTickets(found.tickets)] : []),
    ...(found.tickets_of_others > 0 ? [guests.eraseOthers(found.tickets_of_others)] : []),
    ...(found.waitlist_entries > 0 ? [guests.eraseWaiting(found.waitlist_entries)] : []),
    ...(found.abstracts > 0 ? [guests.eraseAbstracts(found.abstracts)] : []),
    ...(found.submitters > 0 ? [guests.eraseSubmitted(found.drafts, found.files)] : []),
    ...(found.reviewers > 0 ? [guests.eraseReviewers(found.reviewers)] : []),
    guests.eraseKeeps,
  ]
}
