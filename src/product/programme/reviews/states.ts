/** What a reviewer recommends. */
export const recommendations = ['accept', 'unsure', 'reject'] as const
/** Why a reviewer gives an abstract back. */
export const returnReasons = ['conflict', 'field'] as const
