import type { Texts } from '../texts.ts'
import { abstracts } from './abstracts.ts'
import { events } from './events.ts'
import { faults } from './faults.ts'
import { flash } from './flash.ts'
import { navigation } from './navigation.ts'
import { overview } from './overview.ts'
import { page } from './page.ts'
import { people } from './people.ts'
import { problems } from './problems.ts'
import { reports } from './reports.ts'
import { signIn } from './sign-in.ts'

export const es: Texts = {
  ...{ abstracts, reports },
  ...{ page, events, faults, flash, navigation, overview, people, problems, signIn },
}
