const long = 'a-person-with-a-name-as-long-as-its-pier'

/** Steps that send emails as they get: one for a team, one that came by an import, and one of long words from right to left. */
export const mailSteps = [
  {
    title: 'Tell the team',
    outputVariableName: 'told',
    tool: {
      type: 'mail',
      to: ['team@example.org', '{{counts}}'],
      subject: 'The digest of {{counts}}',
      text: '**Good morning**,\n\n{{digest}}',
    },
  },
  {
    title: 'Tell the pier',
    outputVariableName: 'pier',
    tool: { type: 'mail', to: [], subject: 'The digest', text: '{{digest}}' },
  },
  {
    title: 'أخبر كل من ينتظر على الرصيف الشمالي',
    outputVariableName: 'all_told',
    tool: {
      type: 'mail',
      to: ['north', 'south', 'west'].map((pier) => `${long}.${pier}@harbour-authority.example.org`),
      subject: `ملخص اليوم {{counts}} ${'وصف طويل '.repeat(12)}`,
      text: 'صباح الخير،\n\n{{digest}}\n\n- الرصيف الشمالي\n- الرصيف الجنوبي',
    },
    forEach: { list: 'digest', as: 'line', max: 20, atOnce: 3, onFailure: 'leave_out', result: 'text' },
  },
] as const
