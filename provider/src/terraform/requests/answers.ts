import { answerApplyResourceChange } from './apply-resource-change.ts'
import { answerConfigureProvider } from './configure-provider.ts'
import { answerGetMetadata } from './get-metadata.ts'
import { answerGetProviderSchema } from './get-provider-schema.ts'
import { answerImportResourceState } from './import-resource-state.ts'
import { answerMoveResourceState } from './move-resource-state.ts'
import { answerPlanResourceChange } from './plan-resource-change.ts'
import { answerReadDataSource } from './read-data-source.ts'
import { answerReadResource } from './read-resource.ts'
import { answerStopProvider } from './stop-provider.ts'
import { answerUpgradeResourceState } from './upgrade-resource-state.ts'
import {
  answerValidateDataResourceConfig,
  answerValidateProviderConfig,
  answerValidateResourceConfig,
} from './validate-config.ts'

/** What each request is answered with, by its name in the protocol. */
export const answers = {
  GetMetadata: answerGetMetadata,
  GetProviderSchema: answerGetProviderSchema,
  ValidateProviderConfig: answerValidateProviderConfig,
  ValidateResourceConfig: answerValidateResourceConfig,
  ValidateDataResourceConfig: answerValidateDataResourceConfig,
  ConfigureProvider: answerConfigureProvider,
  UpgradeResourceState: answerUpgradeResourceState,
  MoveResourceState: answerMoveResourceState,
  ReadResource: answerReadResource,
  PlanResourceChange: answerPlanResourceChange,
  ApplyResourceChange: answerApplyResourceChange,
  ImportResourceState: answerImportResourceState,
  ReadDataSource: answerReadDataSource,
  StopProvider: answerStopProvider,
}

export type Answers = typeof answers
