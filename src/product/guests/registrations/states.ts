export const registrationStatuses = ['pending', 'confirmed', 'failed', 'refunded', 'cancelled'] as const
export const registrationSources = ['checkout', 'api'] as const
