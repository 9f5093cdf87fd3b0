import { checkIn } from './check-in.ts'
import { events } from './events.ts'
import { faults } from './faults.ts'
import { flash } from './flash.ts'
import { navigation } from './navigation.ts'
import { overview } from './overview.ts'
import { page } from './page.ts'
import { people } from './people.ts'
import { problems } from './problems.ts'
import { signIn } from './sign-in.ts'
import { waitlist } from './waitlist.ts'

export const en = {
  page,
  checkIn,
  events,
  faults,
  flash,
  navigation,
  overview,
  people,
  problems,
  signIn,
  waitlist,
}
