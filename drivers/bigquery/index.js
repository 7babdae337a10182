// What the engine loads when its first source on BigQuery is opened.
export { BigQuery } from '@google-cloud/bigquery'
export { OAuth2Client } from 'google-auth-library'
