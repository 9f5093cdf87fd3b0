import { goTo } from '#faces/dashboard/frame/destination.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import type { UserRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { answerView } from '#faces/dashboard/frame/show.tsx'
import { Empty, Head } from '#machinery/web/components/parts.tsx'

/** Leads to the only organization of the signed-in user, or asks which one. */
export const home: PageAt<'user'> = {
  path: '',
  level: 'user',
  get: async (services, context, request) => {
    const [only, ...others] = request.memberships
    if (only !== undefined && others.length === 0) {
      return goTo(services, context, { path: paths.events(only.account.id), flash: request.flash })
    }
    const title = request.voice.texts.people.yourOrganizations
    await answerView(context, { level: 'user', path: '' }, request, {
      title,
      body: <Organizations request={request} title={title} />,
    })
  },
}

function Organizations({ request, title }: { request: UserRequest; title: string }) {
  const { memberships, voice } = request
  const { people } = voice.texts
  if (memberships.length === 0) {
    return (
      <Empty icon="guests" title={people.noOrganization}>
        {people.noOrganizationAbout}
      </Empty>
    )
  }
  return (
    <>
      <Head title={title} />
      <div class="card">
        <Memberships request={request} />
      </div>
    </>
  )
}

/** Lists the organizations of the signed-in user, with the user's role in each. */
export function Memberships({ request: { memberships, voice } }: { request: UserRequest }) {
  return (
    <ul class="todo">
      {memberships.map(({ account, role }) => (
        <li key={account.id}>
          <a href={paths.events(account.id)}>
            <bdi>{account.name}</bdi>
          </a>
          <span class="quiet">{voice.texts.people.roles[role]}</span>
        </li>
      ))}
    </ul>
  )
}
