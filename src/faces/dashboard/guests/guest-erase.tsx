import { erasePerson, findPerson, type PersonFound } from '../../erasure/erase.ts'
import { emailKey } from '../../fields.ts'
import { Problem } from '../../problem.ts'
import type { Details } from '../../registrations/details.ts'
import { Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { withQuery } from '../../web/link.ts'
import type { Texts } from '../../web/texts/texts.ts'
import { actorOf, type OfEvent, type Services } from '../asked.ts'
import { ownForm } from '../own-form.ts'
import { paths } from '../paths.ts'
import { readGuest } from './guest.tsx'

interface Person {
  name: string
  email: string
  /** Undefined for the buyer. */
  ticketId: string | undefined
}

interface Loaded {
  id: string
  /** Of whom nobody is to know any more. */
  person: Person
  /** Others of the same registration. */
  others: readonly Person[]
  found: PersonFound
}

/** Asks whether to make the buyer anonymous, or the person of the ticket that the address names. */
export const eraseGuest = ownForm('event', {
  path: '/e/{event}/guests/{registration}/erase',
  permission: 'erase',
  load,
  fields: () => ({}),
  seen: ({ person, found }) => [person.email, ...Object.values(found)].join(' '),
  view: ({ id, person, others, found }, asked, state) => {
    const { event, account, voice } = asked
    const { texts } = voice
    const title = texts.guests.eraseTitle(person.name)
    const back = paths.guest(event.id, id)
    const addressOf = ({ ticketId: ticket }: Person) => withQuery(paths.eraseGuest(event.id, id), { ticket })
    return {
      title,
      body: (
        <div class="stack">
          <Head title={<bdi>{title}</bdi>} crumbs={<a href={back}>{texts.guests.registration}</a>} />
          <div class="card">
            <Form
              state={state}
              texts={texts}
              action={addressOf(person)}
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
          {others.length > 0 && (
            <section class="card" aria-labelledby="others">
              <h2 id="others">{texts.guests.eraseOther}</h2>
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
          )}
        </div>
      ),
    }
  },
  submit: async ({ db }, _context, asked, { loaded: { id, person } }) => {
    await erasePerson(db, actorOf(asked), person.email)
    return { to: { path: paths.guest(asked.event.id, id), flash: flash('personErased', {}) } }
  },
})

/** @throws Problem not_found; registration_erased where the buyer is anonymous already */
async function load({ db }: Services, asked: OfEvent): Promise<Loaded> {
  const guest = await db.read(tx => readGuest(tx, asked))
  const people = peopleOf(guest)
  const ticketId = asked.query.get('ticket')
  const person = people.find(each => each.ticketId === (ticketId ?? undefined))
  if (person === undefined) throw new Problem(ticketId === null ? 'registration_erased' : 'not_found')
  const others = people.filter(each => each !== person)
  return { id: guest.id, person, others, found: await findPerson(db, asked.account.id, person.email) }
}

/** Those who are not anonymous yet, each once: the buyer first. */
function peopleOf({ buyer, attendees, erased_at }: Details): Person[] {
  const people: Person[] = erased_at === null ? [{ ...buyer, ticketId: undefined }] : []
  const known = new Set(people.map(({ email }) => emailKey(email)))
  for (const { id, name, email } of attendees) {
    if (email === null || known.has(emailKey(email))) continue
    known.add(emailKey(email))
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
    guests.eraseKeeps,
  ]
}
