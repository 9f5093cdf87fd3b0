export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const

export type DeliveryStatus = (typeof deliveryStatuses)[number]
