export const roles = ['owner', 'manager', 'finance', 'door', 'chair', 'reviewer'] as const

/** The role of a member in an account. */
export type Role = (typeof roles)[number]

/** The only table of what each role may do. */
export const permissions = {
  overview: roles,
  'events.edit': ['owner', 'manager'],
  /** Lets a member delete an event with all that it has. */
  'events.delete': ['owner'],
  'guests.read': ['owner', 'manager', 'finance'],
  'guests.edit': ['owner', 'manager'],
  /** Lets a member give money back, and note that it was paid back. */
  refunds: ['owner', 'manager', 'finance'],
  /** Lets a member handle bank statements: what came in, and whose it is. */
  statements: ['owner', 'manager', 'finance'],
  checkins: ['owner', 'manager', 'door'],
  /** Lets a member decide on scans that are held, and on conflicts of doors. */
  'scans.decide': ['owner', 'manager'],
  /** Lets a member note that money came without a processor. Whoever checks in notes the cash at the door. */
  payments: ['owner', 'manager', 'finance'],
  /** Lets a member read, change and decide all abstracts, with the names of their authors. A reviewer does none of it. */
  abstracts: ['owner', 'manager', 'chair'],
  messages: ['owner', 'manager'],
  reports: ['owner', 'manager', 'finance'],
  webhooks: ['owner', 'manager'],
  /** Lets a member choose where the money goes. */
  'payments.settings': ['owner', 'finance'],
  /** Lets a member change the settings of the account. */
  account: ['owner', 'manager'],
  /** Lets a member read mails that belong to no event. Some of them let people in. */
  'account.messages': ['owner'],
  people: ['owner'],
  keys: ['owner'],
  log: ['owner'],
  /** Lets a member make the people of a registration anonymous. */
  erase: ['owner'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof permissions

export function may(role: Role, permission: Permission): boolean {
  const allowed: readonly Role[] = permissions[permission]
  return allowed.includes(role)
}
