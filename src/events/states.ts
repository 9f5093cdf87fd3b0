export const eventStatuses = ['draft', 'published', 'cancelled', 'completed'] as const
export const eventVisibilities = ['public', 'unlisted', 'private'] as const
