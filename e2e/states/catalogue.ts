import { accountStates } from './account-states.ts'
import { activityStates } from './activity-states.ts'
import { askStates } from './ask-states.ts'
import { awayStates } from './away-states.ts'
import { backupStates } from './backup-states.ts'
import { chainRunStates } from './chain-run-states.ts'
import { chainStates } from './chain-states.ts'
import { connectStates } from './connect-states.ts'
import { evaluationStates } from './evaluation-states.ts'
import { executeStates } from './execute-states.ts'
import { exportStates } from './export-states.ts'
import { firstMinutesStates } from './first-minutes-states.ts'
import { flowStates } from './flow-states.ts'
import { groupStates } from './group-states.ts'
import { guideStates } from './guide-states.ts'
import { importStates } from './import-states.ts'
import { languageStates } from './language-states.ts'
import { libraryStates } from './library-states.ts'
import { loopStates } from './loop-states.ts'
import { modelStates } from './model-states.ts'
import { outputStates } from './output-states.ts'
import { ownerStates } from './owner-states.ts'
import { previewStates } from './preview-states.ts'
import { privacyStates } from './privacy-states.ts'
import { processStates } from './process-states.ts'
import { promptStates } from './prompt-states.ts'
import { scheduleStates } from './schedule-states.ts'
import { settingsStates } from './settings-states.ts'
import type { State } from './state.ts'
import { taxonomyStates } from './taxonomy-states.ts'
import { testStates } from './test-states.ts'
import { tokenStates } from './token-states.ts'
import { toolStates } from './tool-states.ts'
import { usageStates } from './usage-states.ts'
import { variableStates } from './variable-states.ts'
import { versionStates } from './version-states.ts'
import { webhookStates } from './webhook-states.ts'

/** Every screen that there is, once: for the checks and for the pictures. */
export const states: readonly State[] = [
  ...accountStates,
  ...activityStates,
  ...processStates,
  ...taxonomyStates,
  ...groupStates,
  ...ownerStates,
  ...modelStates,
  ...backupStates,
  ...libraryStates,
  ...firstMinutesStates,
  ...exportStates,
  ...importStates,
  ...promptStates,
  ...outputStates,
  ...settingsStates,
  ...versionStates,
  ...variableStates,
  ...chainStates,
  ...chainRunStates,
  ...flowStates,
  ...loopStates,
  ...askStates,
  ...toolStates,
  ...previewStates,
  ...scheduleStates,
  ...testStates,
  ...tokenStates,
  ...connectStates,
  ...webhookStates,
  ...executeStates,
  ...usageStates,
  ...evaluationStates,
  ...privacyStates,
  ...awayStates,
  ...guideStates,
  ...languageStates,
]
