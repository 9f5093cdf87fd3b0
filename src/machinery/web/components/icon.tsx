const shapes = {
  up: 'M14.500 5L7.500 12l7 7',
  home: 'M3 11l9-8 9 8v9a1 1 0 0 1-1 1h-5v-7h-6v7H4a1 1 0 0 1-1-1z',
  guests:
    'M5.500 8a3.500 3.500 0 1 0 7 0a3.500 3.500 0 1 0-7 0M2.500 20c.5-4 3-6 6.500-6s6 2 6.500 6M16 5a3.500 3.500 0 0 1 0 6.500M18.500 14.500c1.700.8 2.700 2.700 3 5.500',
  card: 'M3 5.500h18v13H3zM3 10h18M6.500 15h4',
  check: 'M4 12.500l5 5L20 6.500',
  cross: 'M6 6l12 12M18 6L6 18',
  door: 'M5 21V3.500h11V21M2.500 21h19M12.500 12.500h.01',
  tickets: 'M3 9V6h18v3a3 3 0 0 0 0 6v3H3v-3a3 3 0 0 0 0-6zM14 6v12',
  clock: 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 7v5l3.500 2',
  mail: 'M3 5.500h18v13H3zM3 6.500l9 7 9-7',
  paper: 'M6 2.500h8l4.500 4.500v14.500H6zM14 2.500V7h4.500M9 12h7M9 16h7',
  chart: 'M4 20V4M4 20h16M8.500 16v-5M13 16V7.500M17.500 16v-3',
  settings:
    'M9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0M12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.100 2.100M16.300 16.300l2.100 2.100M5.600 18.400l2.100-2.100M16.300 7.700l2.100-2.100',
  person: 'M8 8a4 4 0 1 0 8 0a4 4 0 1 0-8 0M4 21c.5-4.500 3.500-7 8-7s7.500 2.500 8 7',
  menu: 'M5 7h14M5 12h14M5 17h14',
  search: 'M4 10.500a6.500 6.500 0 1 0 13 0a6.500 6.500 0 1 0-13 0M15.500 15.500L21 21',
  key: 'M4 15.500a4 4 0 1 0 8 0a4 4 0 1 0-8 0M11 12.500L20 3.500M16.500 7l3 3',
  webhook: 'M8 7a4 4 0 1 1 6.500 3L18 16M16 13.500a4 4 0 1 1-4 4H7M9.500 10.500L6 16a2.500 2.500 0 1 0 3 2',
  list: 'M9 6h12M9 12h12M9 18h12M4 6h.01M4 12h.01M4 18h.01',
  disk: 'M4 5h16v14H4zM4 14h16M16 16.500h.01',
  raise: 'M12 19V5M6 11l6-6 6 6',
  lower: 'M12 5v14M6 13l6 6 6-6',
  pin: 'M12 21.500c4.500-4.500 7-8.200 7-11.500a7 7 0 0 0-14 0c0 3.300 2.500 7 7 11.500zM9.500 10a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0',
  screen: 'M3 5h18v11H3zM9 20h6M12 16v4',
  calendar: 'M4 6h16v15H4zM4 11h16M8 3v5M16 3v5',
} as const

export type IconName = keyof typeof shapes

/** A picture that says nothing that the text beside it does not. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}
