/** The part of version 2 for the decision about abstracts. */
export const decisionTables = `CREATE TABLE proposals (
     abstract_id TEXT NOT NULL REFERENCES abstracts (id),
     account_id TEXT NOT NULL,
     event_id TEXT NOT NULL,
     decision TEXT NOT NULL CHECK (decision IN ('accepted', 'rejected')),
     kind_id TEXT,
     note TEXT,
     proposed_by TEXT NOT NULL,
     job_id TEXT,
     created_at BIGINT NOT NULL,
     updated_at BIGINT NOT NULL,
     PRIMARY KEY (account_id, abstract_id),
     FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, id),
     CHECK (kind_id IS NULL OR decision = 'accepted')
   );
   CREATE INDEX proposals_by_abstract ON proposals (abstract_id);
   CREATE INDEX proposals_by_event ON proposals (account_id, event_id, abstract_id);
   CREATE INDEX proposals_by_job ON proposals (account_id, job_id, abstract_id) WHERE job_id IS NOT NULL`
