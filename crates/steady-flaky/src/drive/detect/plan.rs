//! Which runs are made, and how many that are.

use steady_model::rerun::Perturbation;

use crate::drive::sut_access::SutAccess;

/// Which runs detection makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetectionPlan {
    /// How often all tests are run again in place. With 0, nothing is run: values are judged by their form alone.
    pub reruns: u32,
    /// Whether the API is reset and restarted, where steady starts it.
    pub restart: bool,
    /// What is changed around it.
    pub perturb: Vec<Perturbation>,
}

impl Default for DetectionPlan {
    fn default() -> Self {
        Self { reruns: 3, restart: true, perturb: Perturbation::ALL.to_vec() }
    }
}

impl DetectionPlan {
    /// How often all tests are run at least, the proof included. Not counted are the further runs of a quick suite, and the
    /// perturbations that are tried one by one because all of them together changed something.
    pub fn runs(&self, access: &SutAccess<'_>) -> u32 {
        if self.reruns == 0 {
            return 0;
        }
        let order = u32::from(self.perturb.contains(&Perturbation::Order));
        let in_place = self.reruns + order;
        if !access.is_managed() {
            return in_place + 1;
        }
        let fresh = if self.restart { 1 + order + u32::from(access.resets_in_place()) } else { 0 };
        let changed = u32::from(!access.conditions(&self.perturb).is_empty());
        in_place + fresh + changed + 1
    }

    /// The steps that were asked for and are impossible, because another program starts the API.
    pub fn out_of_reach(&self, access: &SutAccess<'_>) -> Vec<String> {
        if access.is_managed() || self.reruns == 0 {
            return Vec::new();
        }
        let restart = self.restart.then(|| "restart".to_owned());
        let changes = self.perturb.iter().filter(|what| **what != Perturbation::Order);
        restart.into_iter().chain(changes.map(ToString::to_string)).collect()
    }
}
