/** Queues whose one job comes again and again, so that it never counts as left to do. For `queue not in (…)`. */
export const RECURRING_QUEUES = `'upkeep', 'search', 'retention', 'usage', 'backups-due', 'deleted-log', 'schedules-clock', 'activity-links', 'activity-sent', 'activity-syslog'`
