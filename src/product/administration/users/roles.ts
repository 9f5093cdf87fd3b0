export const roles = ['owner', 'manager', 'finance', 'door', 'reviewer'] as const

/** What a member is to an account. */
export type Role = (typeof roles)[number]

/** The one table of what each role may do. */
export const permissions = {
  overview: roles,
  'events.edit': ['owner', 'manager'],
  'guests.read': ['owner', 'manager', 'finance'],
  'guests.edit': ['owner', 'manager'],
  /** Gives money back, and notes that it was paid back. */
  refunds: ['owner', 'manager', 'finance'],
  /** What the bank says came in, and whose it is. */
  statements: ['owner', 'manager', 'finance'],
  checkins: ['owner', 'manager', 'door'],
  /** Decides on scans that are held, and on conflicts of doors. */
  'scans.decide': ['owner', 'manager'],
  /** Notes that money came without a processor; cash at the door is noted by whoever checks in. */
  payments: ['owner', 'manager', 'finance'],
  abstracts: ['owner', 'manager', 'reviewer'],
  messages: ['owner', 'manager'],
  reports: ['owner', 'manager', 'finance'],
  webhooks: ['owner', 'manager'],
  /** Where the money goes to. */
  'payments.settings': ['owner', 'finance'],
  /** Its settings. */
  account: ['owner', 'manager'],
  /** Mails about no event: some of them let people in. */
  'account.messages': ['owner'],
  people: ['owner'],
  keys: ['owner'],
  log: ['owner'],
  /** Makes the people of a registration anonymous. */
  erase: ['owner'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof permissions

export function may(role: Role, permission: Permission): boolean {
  const allowed: readonly Role[] = permissions[permission]
  return allowed.includes(role)
}
