export const abstractStatuses = ['submitted', 'in_review', 'accepted', 'rejected'] as const
