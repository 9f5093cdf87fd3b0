import { Problem } from '#base/problem.ts'

/** Why a rule about people refuses. It is `details.reason` of the Problem, for pages that say it in another language. */
export type Reason =
  | 'password_length'
  | 'password_guessable'
  | 'email_taken'
  | 'already_member'
  | 'other_email'
  | 'sign_in_first'
  | 'last_owner'
  | 'owner_has_all_events'
  | 'unknown_event'
  | 'wrong_code'
  | 'second_factor_exists'
  | 'no_second_factor'
  | 'not_by_owner'
  | 'own_reset'

const messages: Record<Reason, string> = {
  password_length: 'The password must have 10 to 200 characters.',
  password_guessable: 'The password is too easy to guess.',
  email_taken: 'Somebody else has this e-mail.',
  already_member: 'This person is a member of the account already.',
  other_email: 'The invitation is for another e-mail.',
  sign_in_first: 'There is a user with this e-mail already: sign in to accept the invitation.',
  last_owner: 'The account must keep an owner: make somebody else an owner first.',
  owner_has_all_events: 'An owner has all events.',
  unknown_event: 'There is no such event in this account.',
  wrong_code: 'The code is wrong.',
  second_factor_exists: 'There is a second factor already: turn it off first.',
  no_second_factor: 'There is no second factor.',
  not_by_owner: 'This person is more than a member of this account: whoever runs the server makes the link.',
  own_reset: 'Whoever is signed in changes their own password by giving the old one.',
}

/** @param param the field that is at fault */
export function refusal(reason: Reason, param?: string): Problem {
  const message = messages[reason]
  return new Problem('invalid_parameter', {
    message,
    ...(param === undefined ? {} : { param }),
    details: { reason },
  })
}
