/** What each request is answered with, by its name in the protocol. */

export { answerApplyResourceChange as ApplyResourceChange } from './apply-resource-change.ts'
export { answerConfigureProvider as ConfigureProvider } from './configure-provider.ts'
export { answerGetMetadata as GetMetadata } from './get-metadata.ts'
export { answerGetProviderSchema as GetProviderSchema } from './get-provider-schema.ts'
export { answerImportResourceState as ImportResourceState } from './import-resource-state.ts'
export { answerMoveResourceState as MoveResourceState } from './move-resource-state.ts'
export { answerPlanResourceChange as PlanResourceChange } from './plan-resource-change.ts'
export { answerReadDataSource as ReadDataSource } from './read-data-source.ts'
export { answerReadResource as ReadResource } from './read-resource.ts'
export { answerStopProvider as StopProvider } from './stop-provider.ts'
export { answerUpgradeResourceState as UpgradeResourceState } from './upgrade-resource-state.ts'
export {
  answerValidateDataResourceConfig as ValidateDataResourceConfig,
  answerValidateProviderConfig as ValidateProviderConfig,
  answerValidateResourceConfig as ValidateResourceConfig,
} from './validate-config.ts'
